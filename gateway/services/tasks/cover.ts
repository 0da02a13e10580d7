import { maxChargeOf } from '../../billing/task-price.ts';
import { chargeForUnits } from '../../billing/unit-price.ts';
import { mediaModels } from '../../catalogue/media-models.ts';
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
  const hold = { requestId: secondHold(task), accountId, amount, overshoots: false, atMs: clock.now() };
  const admission = await ledger.hold(hold);
  // The quota counts tokens, of which media have none.
  if (admission === 'held' || admission === 'no_quota') return ending;
  log.warn(
    { task_id: task.id, channel: channelId, cause: admission },
    'a result costs more than its account has',
  );
  for (const { file } of ending.results) await mediaFiles.remove(file);
  const message = 'The result is longer than the credits of this account pay for.';
  return failedWith('quota_exceeded', { message });
}

/** Releases what `coverEnding` held, once the task is charged; also in another process than the one that held it. */
export async function releaseCover(
  { ledger }: Pick<JobService, 'ledger'>,
  task: Task,
  ending: TaskEnding,
  atMs: number,
): Promise<void> {
  if (costBeyondHold(task, ending) > 0n) await ledger.release(secondHold(task), atMs);
}

function costBeyondHold({ model: id, fields, price }: Task, ending: TaskEnding): Pico {
  const model = mediaModels.get(id);
  if (model === undefined) return 0n;
  const { unit, unitPico, markupBp } = price;
  return chargeForUnits(unitsMade(unit, ending), unitPico, markupBp) - maxChargeOf(price, model, fields);
}

function secondHold({ requestId }: Task): string {
  return `${requestId}:beyond`;
}
