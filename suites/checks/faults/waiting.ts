import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import type { Deadline } from '../../oracle/faults/fault-facts.ts';
import { rowOfRefusal } from '../../oracle/faults/fault-rows.ts';
import { textSoFar } from '../../oracle/text-so-far.ts';
import { must } from '../../rules/violation.ts';
import { deadlineLateMs } from '../../steps/failures/pass-timeouts.ts';
import type { Attempt } from './attempt.ts';

/** How far beyond a deadline to move the time, ms: less than the distance of any two deadlines. */
const beyondMs = 100;

/** How long a stream's first text may take from the upstream to the client, ms of real time. */
const arrivalMs = 2_000;

/** How long a call to a broken listener may continue, ms of real time. */
const unseenMs = 150;

/** More deadlines than a call with two attempts meets; a gateway may pause between attempts. */
const maxPasses = 3;

/** The deployment's deadline of this kind, ms. */
export function deadlineMs(target: Target, deadline: Deadline): number {
  const declared = target.profile.upstream;
  const firstByte = declared?.first_byte_timeout_ms ?? 30_000;
  switch (deadline) {
    case 'connect':
      return declared?.connect_timeout_ms ?? firstByte;
    case 'first-byte':
      return firstByte;
    case 'idle':
      return declared?.idle_timeout_ms ?? firstByte;
    case 'total':
      return declared?.total_timeout_ms ?? 600_000;
  }
}

/** Passes the deadline of all calls together, once for each attempt. */
export async function passDeadlines(
  { clock, target }: CheckParts,
  attempts: readonly Attempt[],
  deadline: Deadline,
): Promise<void> {
  const over = new Set<Attempt>();
  for (const attempt of attempts) void attempt.live.done.then(() => over.add(attempt));
  await Promise.all(attempts.map(settled));
  for (let pass = 1; pass <= maxPasses && over.size < attempts.length; pass += 1) {
    const limitMs = deadlineMs(target, deadline);
    await clock.elapse(limitMs + beyondMs, deadlineLateMs(limitMs));
    const open = attempts.filter((attempt) => !over.has(attempt));
    await Promise.all(open.map((attempt) => nextStep(attempt, pass + 1)));
  }
  for (const attempt of attempts) if (!over.has(attempt)) await judgeHanging(attempt);
}

/** Judges a call that no deadline ends: the client must disconnect. */
async function judgeHanging({ live, verdict }: Attempt): Promise<never> {
  live.abort();
  const exchange = await live.done;
  must(false, {
    requirement: verdict.seen.includes('broken') ? 'SSE-016' : rowOfRefusal(verdict),
    aspect: 'fault-ends',
    expected: `an end once the ${verdict.deadline} deadline has passed for every attempt`,
    actual: `the call goes on after ${maxPasses} such deadlines`,
    exchange,
  });
}

/** Waits until the call has reached the upstream, and its first text the client. */
async function settled(attempt: Attempt): Promise<void> {
  const { live, verdict, cell } = attempt;
  await nextStep(attempt, 1);
  if (cell.call === 'stream' && verdict.seen.includes('broken'))
    await live.until((body) => textSoFar(body) !== '', arrivalMs);
}

/** Waits until the call has ended, or its next attempt meets the fault at the upstream. */
async function nextStep({ live, scene, facts, failing }: Attempt, attempt: number): Promise<void> {
  // A broken listener does not show when a call arrives.
  if (facts.listener !== undefined) {
    await live.until(() => false, unseenMs);
    return;
  }
  const requests = await Promise.race([live.done.then(() => []), scene.requests(attempt).catch(() => [])]);
  const last = requests.at(-1);
  // A healthy channel answers by itself, and time that passes now would count against it.
  if (failing !== undefined && last !== undefined && last.entry.channel !== failing)
    await live.until(() => false, arrivalMs);
}
