import type { LockstepTime } from '../../engine/lockstep.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Scene } from '../../engine/scene.ts';
import type { BreakerTimeline, CallKind, TimelineStep } from '../../generators/breaker-timeline.ts';
import { type Attempt, BreakerModel, type BreakerRules, type Span } from '../../oracle/breaker.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { probesOf } from '../../profile/calls-at-once.ts';
import { must } from '../../rules/violation.ts';
import { judgeQuick, outageCodes } from '../../steps/failures/outage-state.ts';
import { freedWithinMs } from '../../steps/failures/pass-timeouts.ts';
import { type BreakerBudget, channelsOf } from '../../steps/failures/routed-call.ts';
import { type Exchange, isSuccess } from '../../wire/exchange.ts';
import type { LiveExchange } from '../../wire/live-exchange.ts';
import { outcomeOfKind, replyOf } from './timeline-replies.ts';

/** The parts that running a timeline needs. */
export interface Stage {
  readonly parts: CheckParts;
  readonly budget: BreakerBudget;
  readonly rules: BreakerRules;
  readonly time: LockstepTime;
}

/** The timeline so far: the model of its breaker, and when its last caller left, ms of real time. */
interface Story {
  readonly model: BreakerModel;
  leftAtMs: number;
}

/** More attempts than any deployment makes of one call. */
const attemptsAtMost = 6;

/** The longest wait for simultaneous calls to be answered or to reach the upstream, ms. */
const settlingMs = 3_000;

/** How far from a bound a wait ends, and the greatest error of a deployment, ms. */
const marginMs = 1_000;

interface Seen {
  readonly attempts: readonly Attempt[];
  readonly exchange: Exchange;
  readonly whole: Span;
}

/**
 * Runs one timeline on one breaker and compares it with the model.
 * @throws Violation at the first difference
 */
export async function playTimeline(stage: Stage, timeline: BreakerTimeline): Promise<void> {
  stage.parts.cases.count();
  const model = new BreakerModel(stage.rules, slackOf(stage.rules));
  const story: Story = { model, leftAtMs: Number.NEGATIVE_INFINITY };
  for (const step of timeline.steps) {
    stage.parts.cases.signal.throwIfAborted();
    if (step.do === 'calls') {
      for (let call = 0; call < step.times; call += 1) await playCall(stage, story, step.kind, step.stream);
    } else if (step.do === 'burst') await playBurst(stage, story, step.calls);
    else await stage.time.until(stage.time.now() + waitOf(step, stage.rules));
  }
}

function slackOf({ coolDownMs }: BreakerRules): number {
  return Math.min(marginMs, Math.min(...coolDownMs) / 4) / 2;
}

function waitOf(step: TimelineStep & { do: 'wait' | 'rest' }, rules: BreakerRules): number {
  if (step.do === 'rest') return step.ms;
  const [first, next = first] = rules.coolDownMs;
  const bound = { first, next, window: rules.windowMs }[step.bound];
  const margin = Math.min(marginMs, bound / 4);
  return step.side === 'before' ? bound - margin : bound + margin;
}

async function playCall(stage: Stage, story: Story, kind: CallKind, stream: boolean): Promise<void> {
  const { budget, time } = stage;
  const scene = budget.tenant.newScene();
  await scene.script(replyOf(kind, dialectOf(budget.model), stream));
  const label = `${budget.model}: ${kind}${stream ? ', stream' : ''}`;
  const asksStream = stream || kind === 'break';
  const body = { ...scene.minimal(budget.model), ...(asksStream ? { stream: true } : {}) };
  for (;;) {
    const from = time.now();
    const live = budget.tenant.http.openChat(body, { label });
    const spans = kind === 'timeout' ? await passTimeouts(stage, scene, live) : [];
    const leaves = kind === 'leave' && (await heldOrDone(scene, live)) === 'held';
    if (leaves) live.abort();
    const exchange = await live.done;
    const whole = { from, to: time.now() };
    const attempts = (await channelsOf(scene)).map((_, place): Attempt => {
      const { began = whole, ended = whole } = spans[place] ?? {};
      return { began, ended, outcome: outcomeOfKind(kind), again: place > 0 };
    });
    if (attempts.length === 0 && isHeldUp(story, whole)) continue;
    if (leaves) story.leftAtMs = performance.now();
    return judgeCall(stage, story.model, { attempts, exchange, whole });
  }
}

/**
 * Whether a call that must pass may still be refused because of a caller that left: a deployment may notice that later (reading
 * B-36), and until then its call may be the only probe.
 */
function isHeldUp({ model, leftAtMs }: Story, at: Span): boolean {
  return model.duty(at) === 'pass' && performance.now() - leftAtMs < freedWithinMs;
}

function judgeCall({ parts }: Stage, model: BreakerModel, { attempts, exchange, whole }: Seen): void {
  if (attempts.length === 0) {
    judgeRefusal(parts, exchange);
    must(model.refused(whole), {
      requirement: 'ROUTE-011',
      aspect: 'passes-when-due',
      expected: 'a call that reaches the upstream: the breaker is closed, or its cool-down is over',
      actual: 'it was refused',
      exchange,
    });
  }
  for (const attempt of attempts)
    must(model.attempted(attempt), {
      requirement: 'ROUTE-009',
      aspect: 'no-upstream-call',
      expected: 'no upstream call: by the declared parameters the breaker is open',
      actual: 'one was made',
      exchange,
    });
}

function judgeRefusal({ judge, target }: CheckParts, exchange: Exchange): void {
  judge.refused(exchange, { requirement: 'ROUTE-009', aspect: 'outage-code', codes: outageCodes(target) });
  judgeQuick(exchange);
}

/** Lets each attempt time out, and returns when it began and ended. */
async function passTimeouts(
  { parts, time }: Stage,
  scene: Scene,
  live: LiveExchange,
): Promise<{ began: Span; ended: Span }[]> {
  const limitMs = parts.target.profile.upstream?.first_byte_timeout_ms ?? 0;
  const spans: { began: Span; ended: Span }[] = [];
  for (let attempt = 1; attempt <= attemptsAtMost; attempt += 1) {
    const from = time.now();
    if ((await heldOrDone(scene, live, attempt)) === 'done') break;
    const began = { from, to: time.now() };
    await time.until(began.to + limitMs + 100);
    spans.push({ began, ended: { from: began.from + limitMs, to: time.now() } });
  }
  return spans;
}

/** Whether the call's n-th attempt waits at the upstream, or the call ends before. */
async function heldOrDone(scene: Scene, live: LiveExchange, attempt = 1): Promise<'held' | 'done'> {
  const arrived = scene
    .requests(attempt)
    .then((requests) => (requests.length >= attempt ? 'held' : 'done'))
    .catch(() => 'done');
  return (await Promise.race([arrived, live.done.then(() => 'done')])) === 'held' ? 'held' : 'done';
}

/** Makes several successful calls at once. The upstream holds them until it is clear which have reached it. */
async function playBurst(stage: Stage, story: Story, calls: number): Promise<void> {
  const { model } = story;
  const { parts, budget, time } = stage;
  const { tenant } = budget;
  const scene = tenant.newScene();
  await scene.script({ gates: ['head'], text: 'All is well.' });
  const from = time.now();
  const lives = Array.from({ length: calls }, (_, place) =>
    tenant.http.openChat(scene.minimal(budget.model), {
      label: `${budget.model}: ${calls} at once`,
      key: place % 2 === 1 ? (tenant.keys.K4 ?? tenant.keys.K1) : tenant.keys.K1,
    }),
  );
  const over = new Set<LiveExchange>();
  for (const live of lives) void live.done.then(() => over.add(live));
  const passed = await settled(scene, () => over.size, calls);
  const span = { from, to: time.now() };
  await release(scene, () => over.size < calls);
  const exchanges = await Promise.all(lives.map((live) => live.done));
  if (passed === 0 && isHeldUp(story, span)) return playBurst(stage, story, calls);
  const refusals = exchanges.filter((exchange) => !isSuccess(exchange));
  const probing = model.probing(span);
  const probes = probesOf(parts.target.profile);
  must(probing !== 'pass' || passed <= probes, {
    requirement: 'ROUTE-011',
    aspect: 'one-probe',
    expected: `${probes} of ${calls} calls at the upstream of a channel that is being probed`,
    actual: `${passed}`,
    exchange: exchanges[0],
  });
  for (const exchange of refusals) judgeRefusal(parts, exchange);
  const [first] = exchanges;
  if (first === undefined) return;
  const attempts = Array.from({ length: passed }, (): Attempt => ({ began: span, outcome: 'success' }));
  judgeCall(stage, model, { attempts, exchange: refusals[0] ?? first, whole: span });
  must(passed === calls || model.duty(span) !== 'pass' || probing !== 'refuse', {
    requirement: 'ROUTE-011',
    aspect: 'passes-when-due',
    expected: `${calls} calls at the upstream: its breaker is closed`,
    actual: `${passed}`,
    exchange: refusals[0],
  });
}

/** How many calls are at the upstream when each has arrived or is answered, or nothing more happens. */
async function settled(scene: Scene, answered: () => number, calls: number): Promise<number> {
  const until = performance.now() + settlingMs;
  for (;;) {
    const held = (await scene.requestsNow()).length;
    if (held + answered() >= calls || performance.now() > until) return held;
  }
}

async function release(scene: Scene, goesOn: () => boolean): Promise<void> {
  const until = performance.now() + settlingMs;
  while (goesOn() && performance.now() < until) await scene.release();
}
