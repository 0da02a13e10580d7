import type { CheckParts } from '../../../engine/parts/check-parts.ts';
import { isGone } from '../../../oracle/media/task-answer.ts';
import { must } from '../../../rules/violation.ts';
import { restLateMs } from '../../../steps/failures/pass-timeouts.ts';
import { judgeTaskCharge } from './charge.ts';
import type { Followed } from './follow-job.ts';

/** Longer than a gateway waits between two polls of a job, ms. */
const longestPauseMs = 61_000;

/** Judges that polling stops after EXPIRED, and that a late job end changes neither task nor charge. */
export async function judgeAfterExpiry(parts: CheckParts, followed: readonly Followed[]): Promise<void> {
  const expired = followed.filter(({ end }) => end === 'EXPIRED');
  if (expired.length === 0) return;
  await parts.clock.elapse(longestPauseMs, restLateMs);
  const before = await Promise.all(expired.map(pollsOf));
  for (const { attempt } of expired) {
    if (attempt.facts.id !== 'J16') continue;
    for (const job of await attempt.scene.jobs()) await attempt.scene.moveJob(job, { end: 'success' });
  }
  await parts.clock.elapse(longestPauseMs, restLateMs);
  for (const [place, one] of expired.entries()) await judgeLeftAlone(parts, one, before[place] ?? 0);
}

async function judgeLeftAlone(parts: CheckParts, followed: Followed, before: number): Promise<void> {
  const { record, exchange } = followed;
  const after = await pollsOf(followed);
  must(after === before, {
    requirement: 'STATE-007',
    aspect: 'fault-polls-stop',
    expected: 'no polls for the job of an EXPIRED task',
    actual: `${after - before} of them`,
    exchange,
  });
  if (record === null) return;
  // Judged with all earlier reads: an ended task never changes.
  const again = await parts.tasks.read(record.taskId);
  if (!isGone(again)) parts.tasks.record(again, record.taskId);
  await judgeTaskCharge(parts, { ...followed, exchange: again });
}

async function pollsOf({ attempt: { scene } }: Followed): Promise<number> {
  const jobs = await scene.jobs();
  return jobs.reduce((sum, { polls }) => sum + polls, 0);
}
