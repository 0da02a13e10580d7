import { chargeForUnits } from '../../billing/unit-price.ts';
import type { Pico } from '../../money/pico.ts';
import { unitsMade } from './charge.ts';
import { failedWith } from './endings.ts';
import type { JobService } from './job-service.ts';
import type { Task, TaskEnding } from './task.ts';

/**
 * Holds what an ending costs beyond the hold of its task. The caller's input may decide the length of a result, which may then be
 * longer than any that was expected. If the credits do not cover it, the task fails, and its results are removed.
 */
export async function coverEnding(
  { ledger, clock, mediaFiles, log }: JobService,
  task: Task,
  ending: TaskEnding & { readonly status: 'SUCCESS' },
): Promise<TaskEnding> {
  const amount = costBeyondHold(task, ending);
  if (amount <= 0n) return ending;
  const { accountId, channelId } = task;
  const admission = await ledger.hold({
    requestId: secondHold(task),
    accountId,
    amount,
    overshoots: false,
    atMs: clock.now(),
    ofTask: task.requestId,
  });
  if (admission === 'held') return ending;
  log.warn(
    { task_id: task.id, channel: channelId, cause: admission },
    'a result costs more than its account has',
  );
  for (const { file } of ending.results) await mediaFiles.remove(file);
  const message = 'The result is longer than the credits of this account pay for.';
  return failedWith('quota_exceeded', { message });
}

/**
 * Releases what `coverEnding` may have held, once the task is charged; also in another process than the one that held it, and
 * however the task ends: it may fail after a result was covered. Rejects as the ledger does.
 */
export async function releaseCover(
  { ledger }: Pick<JobService, 'ledger'>,
  task: Task,
  atMs: number,
): Promise<void> {
  if (task.price.unit === 'second') await ledger.releaseOfTask(secondHold(task), atMs);
}

function costBeyondHold({ price }: Task, ending: TaskEnding): Pico {
  const { unit, unitPico, markupBp, heldUnits } = price;
  const beyond = unitsMade(unit, ending) - (heldUnits ?? Number.POSITIVE_INFINITY);
  return beyond > 0 ? chargeForUnits(beyond, unitPico, markupBp) : 0n;
}

function secondHold({ requestId }: Task): string {
  return `${requestId}:beyond`;
}
