import type { Scene } from '../engine/scene.ts';
import { postedWithinMs } from '../engine/served-calls.ts';
import type { UpstreamRequest } from '../engine/upstream-request.ts';
import type { ErrorCode } from '../oracle/error-table.ts';
import { dollarText, type Pico, picoIn } from '../oracle/money.ts';
import { factsOf } from '../oracle/world/behaviours.ts';
import { type Allowed, allowedOf } from '../oracle/world/judge-call.ts';
import { must } from '../rules/violation.ts';
import { beforeNextTry } from '../steps/failures/pass-timeouts.ts';
import { errorCodeOf } from '../wire/exchange.ts';
import { granted, makeChange } from './change-world.ts';
import { type CallPlan, type Change, type HistoryKey, metBy } from './history.ts';
import { judgeCall } from './judge-sent.ts';
import { playCall } from './play-call.ts';
import { gotOf, type SentCall, sendCall } from './send-call.ts';
import { mainUser, playable, type Stage } from './stage.ts';

/** The codes of refusals while a channel cools down or is full. */
const restingCodes: readonly string[] = ['channel_outage', 'channel_queue_full'] satisfies ErrorCode[];

/** The longest wait until calls are answered or reach their upstream, ms. */
const settlingMs = 3_000;
/** The same while fewer have reached it than may: only a slow machine needs it, and a slot that is gone is shown later. */
const slowMs = 12_000;

/**
 * Holds several calls of one user at the upstream, and makes a change meanwhile. As many arrive as its cap allows. The change
 * affects later calls only.
 */
export async function playTogether(
  stage: Stage,
  plan: CallPlan,
  count: number,
  change: Change | null,
): Promise<void> {
  const { parts, time, world } = stage;
  const before = change?.what === 'grant' ? await balanceOf(stage) : null;
  const from = time.now();
  const sent = await Promise.all(
    Array.from({ length: count }, (_, place) =>
      sendCall(stage, { ...plan, key: keyInTurn(plan.key, place) }, true),
    ),
  );
  for (const _ of sent) parts.cases.count();
  const answered = new Set<SentCall>();
  for (const one of sent) void one.live.done.then(() => answered.add(one));
  const user = world.key(sent[0]?.call.key ?? 'first').user;
  const free = world.freeSlots(user);
  const held = await settled(sent, answered, Math.min(free, count));
  const span = { from, to: time.now() };
  const allowed = sent.map(({ call }) => allowedOf(world, call, span, count - 1));
  const isOpen = world.breaker(sent[0]?.call.model ?? '').probing(span) !== 'refuse';
  if (change !== null) {
    await makeChange(stage, change);
    if (!isOpen && held + answered.size === sent.length)
      await playBeside(stage, plan, change, { user, held });
  }
  await release(stage, sent, answered);
  const exchanges = await Promise.all(sent.map(({ live }) => live.done));
  // A call that is refused because of an open breaker had a slot, but reached no upstream.
  const isRouted = !exchanges.some((one) => restingCodes.includes(String(errorCodeOf(one))));
  const isCounted = !isOpen && isRouted && allowed.every(isForCapOnly);
  must(!isCounted || held === Math.min(free, count), {
    ...capRule(held, free, stage),
    expected: `${Math.min(free, count)} of ${count} calls at the upstream: ${free} slots are free`,
    actual: `${held}`,
    exchange: exchanges.find(({ response }) => response?.status === 429) ?? exchanges.at(-1),
  });
  const whole = { from, to: time.now() };
  let isFirst = true;
  for (const [place, one] of sent.entries()) {
    const exchange = exchanges[place];
    const own = allowed[place];
    if (exchange === undefined || own === undefined) continue;
    const got = await gotOf(exchange, one.scene);
    judgeCall(stage, one, own, { exchange, got, span: whole }, !isFirst || isOpen);
    if (got.attempts > 0) isFirst = false;
  }
  if (before !== null) await judgeGrant(stage, before);
  // The calls have ended. The change is still in effect.
  if (change !== null && !isOpen) await meet(stage, plan, change);
}

/** The balance of the main account; null where it cannot be read. */
async function balanceOf({ parts, main }: Stage): Promise<Pico | null> {
  const view = await parts.meter.account(main.keyAt(2)).catch(() => null);
  return view?.balance ?? null;
}

/** Judges that calls in flight have not cost an account what it was granted meanwhile ("Billing": the Credits balance). */
async function judgeGrant(stage: Stage, before: Pico): Promise<void> {
  // Most of it: the calls themselves cost little.
  const least = (picoIn(granted) ?? 0n) / 2n;
  const { hooks } = stage.parts.target.profile;
  const until = performance.now() + postedWithinMs + (hooks.balance?.lag_ms ?? 0);
  let after = await balanceOf(stage);
  for (let tries = 0; after !== null && after - before < least && performance.now() < until; tries += 1) {
    await beforeNextTry(stage.parts, tries);
    after = await balanceOf(stage);
  }
  must(after === null || after - before >= least, {
    ...{ requirement: 'BILL-006', aspect: 'grant-beside-calls', exchange: stage.parts.http.sent.at(-1) },
    expected: `a balance that has risen by most of a grant of ${granted} dollars during calls`,
    actual: `${dollarText((after ?? before) - before)} more`,
  });
}

/** Makes one call that a change affects, while the calls from before it are still at their upstream. */
async function playBeside(
  stage: Stage,
  plan: CallPlan,
  change: Change,
  { user, held }: { readonly user: string; readonly held: number },
): Promise<void> {
  const { world } = stage;
  for (let one = 0; one < held; one += 1) world.begin(user);
  try {
    await meet(stage, plan, change);
  } finally {
    for (let one = 0; one < held; one += 1) world.end(user);
  }
}

/** Makes a good call that a change affects. */
async function meet(stage: Stage, plan: CallPlan, change: Change): Promise<void> {
  const met = playable(stage, { ...metBy(change, plan), behaviour: 'good' });
  if (met !== null) await playCall(stage, met);
}

function capRule(
  held: number,
  free: number,
  { parts, world }: Stage,
): { requirement: string; aspect: string } {
  if (held > free) return { requirement: 'LIM-002', aspect: 'cap-holds' };
  const isRaised = world.capOf(mainUser) > parts.target.profile.cap.value;
  return isRaised
    ? { requirement: 'LIM-008', aspect: 'raised-cap' }
    : { requirement: 'LIM-004', aspect: 'slots-back' };
}

/** Alternates the two keys of the main user. An account with hardly any credit gets one call at a time. */
function keyInTurn(key: HistoryKey, place: number): HistoryKey {
  if (key === 'other') return key;
  return place % 2 === 0 ? 'first' : 'second';
}

function isForCapOnly({ grounds, mustRefuse, behaviour }: Allowed): boolean {
  const isOfCap = grounds.every(({ codes }) => codes.includes('concurrency_exceeded'));
  return isOfCap && !mustRefuse && factsOf(behaviour).isLeft !== true;
}

function scenesOf(sent: readonly SentCall[]): Scene[] {
  return sent.flatMap(({ scene }) => scene ?? []);
}

/** The number of calls at the upstream, once each has arrived or is answered, or the time is up. */
async function settled(
  sent: readonly SentCall[],
  answered: ReadonlySet<SentCall>,
  expected: number,
): Promise<number> {
  const from = performance.now();
  for (;;) {
    const open = sent.filter((one) => !answered.has(one));
    const now = await Promise.all(scenesOf(open).map((scene) => scene.requestsNow()));
    const isWaiting = ({ entry }: UpstreamRequest): boolean => entry.reply.waiting_at !== null;
    const held = now.filter((requests) => requests.some(isWaiting)).length;
    const waitMs = held < expected ? slowMs : settlingMs;
    if (held >= open.length || performance.now() - from > waitMs) return held;
  }
}

/** Releases held calls and their second attempts until all are answered. */
async function release(
  { parts }: Stage,
  sent: readonly SentCall[],
  answered: ReadonlySet<SentCall>,
): Promise<void> {
  const [scene] = scenesOf(sent);
  const until = performance.now() + 2 * settlingMs;
  while (answered.size < sent.length && performance.now() < until) {
    parts.cases.signal.throwIfAborted();
    await scene?.release();
  }
}
