import type { CheckClock } from '../../engine/parts/check-clock.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Scene } from '../../engine/scene.ts';
import { must } from '../../rules/violation.ts';
import type { LiveExchange } from '../../wire/live-exchange.ts';

/** More attempts than any deployment may make of one request; the number itself is another check's matter. */
const attemptsAtMost = 6;

/** Lets each attempt reach the upstream and then its time pass, until the gateway gives up. */
export async function passTimeouts(
  { target, clock }: CheckParts,
  scene: Scene,
  live: LiveExchange,
): Promise<void> {
  const stepMs = target.profile.upstream?.first_byte_timeout_ms ?? 0;
  for (let attempt = 1; attempt <= attemptsAtMost; attempt += 1) {
    const answered = live.head.then(() => 'answered' as const);
    // Left behind when the answer comes first, so it may fail unheard.
    const arrived = scene.requests(attempt).catch(() => []);
    const next = await Promise.race([answered, arrived]);
    if (next === 'answered') return;
    if (next.length < attempt) break;
    await clock.jump(stepMs);
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

/** Extra time for a gateway that pauses before it tries again, ms. */
const pauseMs = 10_000;

/** Waits for the n-th attempt to hang and lets the deployment's own time limit pass. False when there is no such attempt. */
export async function passTimeout(
  { target, clock }: CheckParts,
  scene: Scene,
  attempt: number,
): Promise<boolean> {
  const limitMs = target.profile.upstream?.first_byte_timeout_ms ?? 0;
  let arrived = (await scene.requests(attempt)).length >= attempt;
  if (!arrived && attempt > 1) {
    await clock.elapse(pauseMs);
    arrived = (await scene.requests(attempt)).length >= attempt;
  }
  if (!arrived) return false;
  // A gateway need not let go of an attempt that it has given up, so the earlier ones may hang on beside this one.
  const alone = attempt === 1 || (await scene.ended(attempt - 1));
  if (!(await scene.held(alone ? 1 : attempt))) return false;
  await clock.elapse(limitMs + 100);
  return true;
}

/** Gives the answer a moment to come, and time that passes when it does not. */
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
