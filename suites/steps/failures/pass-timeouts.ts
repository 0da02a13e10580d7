import { setTimeout } from 'node:timers/promises';
import type { Reply } from 'gatecheck-simulators/client';
import type { CheckClock } from '../../engine/parts/check-clock.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import type { Scene } from '../../engine/scene.ts';
import { must, throwing, Violation } from '../../rules/violation.ts';
import { isSuccess } from '../../wire/exchange.ts';
import type { LiveExchange } from '../../wire/live-exchange.ts';

/** More attempts than a deployment may make for one request. Another check judges the exact number. */
const attemptsAtMost = 6;

/** Extra time for a gateway that pauses before it retries, ms. */
const pauseMs = 10_000;

/** Lets each attempt reach the upstream and time out, until the gateway gives up. */
export async function passTimeouts(
  { target, clock }: CheckParts,
  scene: Scene,
  live: LiveExchange,
): Promise<void> {
  const stepMs = target.profile.upstream?.first_byte_timeout_ms ?? 0;
  for (let attempt = 1; attempt <= attemptsAtMost; attempt += 1) {
    const answered = live.head.then(() => 'answered' as const);
    // Not awaited when the answer comes first, so its error is ignored.
    const arrived = scene.requests(attempt).catch(() => []);
    const next = await Promise.race([answered, arrived]);
    if (next === 'answered') return;
    if (next.length < attempt) break;
    await clock.jump(stepMs, deadlineLateMs(stepMs));
  }
  live.abort();
  must(false, {
    requirement: 'ERR-031',
    aspect: 'gives-up',
    expected: `an answer once ${stepMs} ms have passed for each attempt`,
    actual: 'no answer',
    exchange: await live.done,
  });
}

/** An upstream that falls silent, and how long a deployment waits for it then, ms. */
export interface Silence {
  readonly reply: Reply;
  readonly limitMs: number;
}

/** Silence from the beginning; where its timeout is declared, also within an answer that is not streamed. */
export function silencesOf({ profile: { upstream } }: Target): readonly [Silence, ...Silence[]] {
  const { first_byte_timeout_ms: firstMs = 0, idle_timeout_ms: idleMs } = upstream ?? {};
  const within = { reply: { gates: ['end'] } } satisfies { reply: Reply };
  return [
    { reply: { hang: 'head' }, limitMs: firstMs },
    ...(idleMs === undefined ? [] : [{ ...within, limitMs: Math.max(firstMs, idleMs) }]),
  ];
}

/**
 * Waits until attempt n hangs, then lets the deployment's own timeout pass. False when there is no such attempt.
 */
export async function passTimeout(
  { target, clock }: CheckParts,
  scene: Scene,
  attempt: number,
  limitMs = silencesOf(target)[0].limitMs,
): Promise<boolean> {
  let arrived = (await scene.requests(attempt)).length >= attempt;
  if (!arrived && attempt > 1) {
    await clock.elapse(pauseMs);
    arrived = (await scene.requests(attempt)).length >= attempt;
  }
  if (!arrived) return false;
  // A gateway need not close an attempt that timed out, so earlier attempts may still hang.
  const alone = attempt === 1 || (await scene.ended(attempt - 1));
  if (!(await scene.held(alone ? 1 : attempt))) return false;
  await clock.elapse(limitMs + 100, deadlineLateMs(limitMs));
  return true;
}

/** Gives the answer a moment to arrive, and advances the clock when it does not. */
export async function ended(clock: CheckClock, live: LiveExchange): Promise<void> {
  let over = false;
  void live.done.then(() => {
    over = true;
  });
  for (let round = 0; round < 4 && !over; round += 1) {
    await live.until(() => over, 1_000);
    if (!over) await clock.elapse(pauseMs);
  }
  if (!over) live.abort();
}

/** How much longer a wait may last that only needs a minimum, ms. So checks that wait at the same time can go on together. */
export const restLateMs = 60_000;

/**
 * How much longer a wait for a hanging call's deadline may last, ms: so little that no other hanging call reaches its own
 * deadline.
 */
export function deadlineLateMs(deadlineMs: number): number {
  return deadlineMs / 10;
}

/** How long a slot may stay taken after its client disconnected, ms (reading B-36). */
export const freedWithinMs = 5_000;

/** The first and the longest pause between two tries to use a slot that may still be taken, ms. */
const firstPauseMs = 50;
const longestPauseMs = 800;

/** Pauses after this many tries for a slot: longer each time, so that a deployment that keeps the slot gets few calls. */
export async function beforeNextTry({ cases }: Pick<CheckParts, 'cases'>, tries: number): Promise<void> {
  const ms = Math.min(firstPauseMs * 2 ** tries, longestPauseMs);
  await setTimeout(ms, undefined, { signal: cases.signal }).catch(() => cases.signal.throwIfAborted());
}

/**
 * Whether a failure may come from a slot that is still taken. A complete answer that is wrong in another way stays a failure.
 */
function mayPass({ finding: { exchange } }: Violation): boolean {
  return exchange === undefined || !isSuccess(exchange) || !exchange.response.complete;
}

/** Retries until the work passes, or the time for freeing a slot is over. Then the last failure counts. */
export async function patiently(parts: Pick<CheckParts, 'cases'>, work: () => Promise<void>): Promise<void> {
  const start = performance.now();
  for (let tries = 0; ; tries += 1) {
    try {
      return await throwing(work);
    } catch (error) {
      const isLate = performance.now() - start > freedWithinMs;
      if (!(error instanceof Violation) || isLate || !mayPass(error)) throw error;
    }
    await beforeNextTry(parts, tries);
  }
}
