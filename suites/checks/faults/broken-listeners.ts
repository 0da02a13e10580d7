import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { type FaultCell, type FaultFacts, verdictOf } from '../../oracle/faults/fault-facts.ts';
import { rowOfRefusal } from '../../oracle/faults/fault-rows.ts';
import { flag, must, Untestable } from '../../rules/violation.ts';
import { isResting, servedAgain } from '../../steps/failures/served-again.ts';
import { inParts } from './alone.ts';
import { type Attempt, judgeView } from './attempt.ts';
import { cellName, chosenCells } from './cells.ts';
import { judgeCharge } from './charge.ts';
import { servedWhole } from './elsewhere.ts';
import { goodReply, requestFor } from './scripted-answer.ts';
import { deadlineMs, passDeadlines } from './waiting.ts';

/** How soon a call must be refused while the breaker of its only channel is open, ms of real time. */
const promptMs = 2_000;

interface BrokenListener {
  readonly cell: FaultCell;
  readonly alone: string;
  readonly spared: string;
}

/**
 * Judges a broken listener: an only channel behind it is refused, a sibling channel serves instead, and nothing gets
 * through.
 */
export async function judgeBrokenListeners(parts: CheckParts, facts: FaultFacts): Promise<void> {
  const listeners = inParts(brokenListenersOf(parts, facts), parts.target.profile.cap.value);
  for (const part of listeners)
    for (const model of ['alone', 'spared'] as const) await judgeAt(parts, facts, part, model);
  await servedAgain(parts, [parts.target.anyModel()], { requirement: 'ERR-009', aspect: 'recovers' });
}

async function judgeAt(
  parts: CheckParts,
  facts: FaultFacts,
  listeners: readonly BrokenListener[],
  model: 'alone' | 'spared',
): Promise<void> {
  const attempts = await Promise.all(listeners.map((listener) => open(parts, facts, listener, model)));
  const deadline = attempts.map(({ verdict }) => verdict.deadline).find((one) => one !== null) ?? null;
  if (deadline !== null) await passDeadlines(parts, attempts, deadline);
  for (const attempt of attempts) await judge(parts, attempt, model === 'spared');
  // A timeout is retried, so the call waits for several deadlines.
  if (deadline !== null && model === 'alone')
    await judgeTwice(parts, attempts, deadlineMs(parts.target, deadline));
}

/** The deployment's broken listeners with this fault. @throws Untestable when there is none. */
function brokenListenersOf(parts: CheckParts, facts: FaultFacts): BrokenListener[] {
  const declared = parts.target.profile.upstream?.broken_listeners ?? {};
  const listeners = chosenCells(parts, facts).flatMap((cell): BrokenListener[] => {
    const names = cell.form === null ? [facts.listener ?? ''] : [`${facts.listener}-${cell.form}`, cell.form];
    const found = names.flatMap((name) => declared[name] ?? [])[0];
    return found === undefined ? [] : [{ cell, ...found }];
  });
  if (listeners.length === 0)
    throw new Untestable(`upstream.broken_listeners: none of the kind ${facts.listener}`);
  return listeners;
}

async function open(
  { newScene, http, keys }: CheckParts,
  facts: FaultFacts,
  { cell, alone, spared }: BrokenListener,
  which: 'alone' | 'spared',
): Promise<Attempt> {
  const scene = newScene();
  const { reply, scripted } = goodReply();
  await scene.script(reply);
  const model = which === 'alone' ? alone : spared;
  const label = `${cellName(facts, cell)}, ${model}`;
  const live = http.openChat(requestFor(scene, model, scripted, cell), { label });
  return { facts, cell, verdict: verdictOf(facts, cell), model, key: keys.K1, scene, scripted, live };
}

async function judge(parts: CheckParts, attempt: Attempt, spared: boolean): Promise<void> {
  const { verdict, scene, facts } = attempt;
  const exchange = await attempt.live.done;
  const requests = await scene.requestsNow();
  const through = requests.filter(({ entry }) => entry.channel.startsWith(`door-${facts.listener}`));
  must(through.length === 0, {
    requirement: rowOfRefusal(verdict),
    aspect: 'fault-through-listener',
    expected: 'no request through a broken listener',
    actual: `${through.length} requests at ${through[0]?.entry.channel}`,
    exchange,
  });
  if (!spared) {
    judgeView(parts, attempt, exchange, requests);
    await judgeCharge(parts, { ...attempt, requests: requests.length }, exchange);
    return;
  }
  must(requests.length === 1, {
    requirement: 'ROUTE-002',
    aspect: 'fault-elsewhere',
    expected: 'one request at the other channel, which is healthy',
    actual: String(requests.length),
    exchange,
  });
  const whole = { ...attempt, ...servedWhole(verdict) };
  judgeView(parts, whole, exchange, requests);
  await judgeCharge(parts, { ...whole, requests: requests.length }, exchange);
}

/** How much too early two timers may seem to end to another process, whose clock was moved meanwhile, ms. */
const earlyMs = 50;

/**
 * Judges that each call waited for two attempts, by the deployment's clock: real time also passes while the clock is moved.
 * If earlier failures make the breaker open after the first attempt, the second one is skipped.
 */
async function judgeTwice(parts: CheckParts, attempts: readonly Attempt[], timeoutMs: number): Promise<void> {
  const { clock, judge } = parts;
  for (const attempt of attempts) {
    const exchange = await attempt.live.done;
    const tookMs = clock.timeAt(exchange.endedAt).max - clock.timeAt(exchange.sentAt).min;
    if (tookMs >= 2 * timeoutMs - earlyMs) continue;
    if (await isGivenUp(parts, attempt)) {
      judge.note(`the channel of ${attempt.model} was given up between two attempts`);
      return;
    }
    flag(false, {
      requirement: 'ROUTE-004',
      aspect: 'fault-attempts',
      expected: `two attempts, each with its own connect timeout of ${timeoutMs} ms`,
      actual: `an answer after ${tookMs} ms`,
      exchange,
    });
  }
}

/** Whether the same call is refused at once, without waiting for its upstream. */
async function isGivenUp({ http }: CheckParts, attempt: Attempt): Promise<boolean> {
  const { model, scene, scripted, cell } = attempt;
  const live = http.openChat(requestFor(scene, model, scripted, cell), { label: `${model}, once more` });
  await live.until(() => false, promptMs);
  live.abort();
  return isResting(await live.done);
}
