import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import { type Exchange, errorCodeOf } from '../../wire/exchange.ts';
import { userInTurn } from '../tenants/side-by-side.ts';
import { restLateMs } from './pass-timeouts.ts';

/**
 * The longest time for which a gateway stops using a channel at its upstream's request, ms (reading B-110), plus a
 * margin.
 */
const longestRestMs = 300_000;
const marginMs = 1_000;

/** How many such rests may be needed before a healthy upstream is used again. */
const maxRests = 3;

/** A good call that can be repeated, and the judgement of its answer. */
export interface GoodCall {
  /** Draws one request, and returns the function that sends it, because a caller repeats the same request after a wait. */
  ask(): () => Promise<Exchange>;
  judge(exchange: Exchange): void;
}

/**
 * Judges that the models serve again after upstream failures, `times` in a row. A gateway may pause a channel after some
 * failures. Then time passes, for all paused channels together.
 */
export async function servedAgain(
  parts: CheckParts,
  models: readonly string[],
  rule: { readonly requirement: string; readonly aspect: string },
  times = 1,
): Promise<void> {
  const calls = [...new Set(models)].map((model, place) => ({
    ask: () => askingWell(parts, model, userInTurn(parts, place)),
    judge: (exchange: Exchange) => void parts.judge.completed(exchange, { ...rule, model }),
  }));
  await callsServedAgain(parts, calls, times);
}

/** Judges the same for any good calls. */
export async function callsServedAgain(
  { clock, target }: CheckParts,
  calls: readonly GoodCall[],
  times = 1,
): Promise<void> {
  let left = calls.map(({ ask, judge }) => ({ send: ask(), judge }));
  for (let rests = 0; left.length > 0; rests += 1) {
    const tried = await Promise.all(left.map(async (good) => ({ good, exchange: await good.send() })));
    const resting = rests < maxRests ? tried.filter(({ exchange }) => isResting(exchange)) : [];
    for (const one of tried) if (!resting.includes(one)) one.good.judge(one.exchange);
    left = resting.map(({ good }) => good);
    if (left.length > 0) await clock.elapse(rests === 0 ? shortRestMs(target) : restMs(target), restLateMs);
  }
  const further = Array.from({ length: times - 1 }, () => calls).flat();
  await Promise.all(further.map(async ({ ask, judge }) => judge(await ask()())));
}

export function goodCall(parts: CheckParts, model: string, key: string = parts.keys.K1): Promise<Exchange> {
  return askingWell(parts, model, key)();
}

function askingWell({ http, newScene }: CheckParts, model: string, key: string): () => Promise<Exchange> {
  const body = newScene().minimal(model);
  return () => http.chat(body, { key, label: `a good call on ${model}` });
}

/** Lets time pass until every paused channel may be used again. */
export function restAll({ clock, target }: Pick<CheckParts, 'clock' | 'target'>): Promise<void> {
  return clock.elapse(restMs(target), restLateMs);
}

/**
 * How long it takes until every resting channel is used again, ms. This is too long to wait for without a movable
 * clock.
 */
function restMs(target: Target): number {
  return Math.max(breakerRestMs(target), longestRestMs) + marginMs;
}

/** Whether the gateway reports that no channel is available at the moment. */
export function isResting(exchange: Exchange): boolean {
  const code = errorCodeOf(exchange);
  return code === 'channel_queue_full' || code === 'channel_outage';
}

/** The declared times, if the clock cannot be moved, because waiting for minutes is a last resort. */
function shortRestMs(target: Target): number {
  return target.profile.hooks.clock === undefined ? breakerRestMs(target) + marginMs : restMs(target);
}

function breakerRestMs(target: Target): number {
  const { cool_down_ms: coolDowns = [60_000], account_out_ms: out = 0 } =
    target.profile.upstream?.breaker ?? {};
  return Math.max(...coolDowns, out);
}
