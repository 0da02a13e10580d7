import { chargeForUnits } from '../../billing/unit-price.ts';
import type { UsageRecord } from '../../billing/usage-record.ts';
import { noTokens } from '../media/no-tokens.ts';
import type { JobService } from './job-service.ts';
import type { Task, TaskEnding } from './task.ts';

/**
 * Charges a task by its ending, once however often this is called, and releases its hold. Durable when resolved.
 */
export async function settleTask(
  { ledger }: Pick<JobService, 'ledger'>,
  task: Task,
  ending: TaskEnding,
  atMs: number,
): Promise<void> {
  await ledger.settle(taskRecord(task, ending, atMs));
}

function taskRecord(task: Task, ending: TaskEnding, atMs: number): UsageRecord {
  const { unit, unitPico, markupBp } = task.price;
  const units = unitsMade(unit, ending);
  return {
    ...noTokens,
    request_id: task.requestId,
    account_id: task.accountId,
    user_id: task.userId,
    app_id: task.appId,
    key_id: task.keyId,
    model_requested: task.model,
    model_served: task.model,
    channel_id: task.channelId,
    outcome: outcomeOf(ending),
    attempts: task.startTries,
    units,
    unit,
    task_id: task.id,
    charge_pico: chargeForUnits(units, unitPico, markupBp),
    price: task.price,
    parents: task.parents,
    started_at_ms: task.submittedAtMs,
    ended_at_ms: atMs,
  };
}

/** The seconds billed for an output of which nobody knows the length: the shortest that an output is rounded to. */
const leastSeconds = 1;

/** Bills the actual output, not the requested one. A failed or expired task has none (reading B-43). */
export function unitsMade(unit: Task['price']['unit'], ending: TaskEnding): number {
  if (ending.status !== 'SUCCESS') return 0;
  switch (unit) {
    case 'image':
      return ending.results.length;
    case 'second':
      return ending.durationSec ?? leastSeconds;
    case 'task':
      return 1;
  }
}

function outcomeOf(ending: TaskEnding): string {
  switch (ending.status) {
    case 'SUCCESS':
      return 'success';
    case 'FAILED':
      return ending.error.code;
    case 'EXPIRED':
      return 'expired';
  }
}
