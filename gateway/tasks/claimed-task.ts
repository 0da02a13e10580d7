import { type Selectable, sql } from 'kysely';
import type { Task } from '../services/tasks/task.ts';
import type { TasksTable } from '../store/work-tables.ts';
import type { Claimed, DueTable } from '../work/due-rows.ts';
import { shortFields, type TaskRow, taskColumns, taskOf } from './stored-task.ts';

/** A task whose step is due, with the state of its steps. */
export interface ClaimedTask extends Claimed {
  /** The task, with all its fields until its job is started. */
  readonly task: Task;
  /** Number of regular polls in a row. Polls after notifications do not count. */
  readonly polls: number;
  /** When the next regular poll is due. */
  readonly pollAtMs: number;
  /** The earliest time at which a notification makes the task due. */
  readonly notifyFromMs: number;
  readonly generation: number;
  /** When a poll first found nothing new and this process kept the task; null right after the claim. */
  readonly keptSinceMs: number | null;
}

/**
 * A share for the steps of each account that may call an upstream, and one for all steps that only end a task. Those never
 * wait for a call that hangs, and no account waits for the calls of another one.
 */
export const ends = 'ends';
export const callsOf = (accountId: string): string => `calls ${accountId}`;

type Stored = TaskRow & Pick<Selectable<TasksTable>, 'polls' | 'poll_at' | 'notify_from' | 'generation'>;

export const taskSteps: DueTable<Stored, ClaimedTask> = {
  name: 'tasks',
  share: (now) =>
    sql`case when ending is null and deadline_at > ${now} then ${sql.lit(callsOf(''))} || account_id else ${sql.lit(ends)} end`,
  shareChangesAt: sql`deadline_at`,
  timesBeside: ['poll_at', 'notify_from'],
  columns: sql`${sql.join([...taskColumns.map((column) => sql.ref(column)), sql.ref('polls'), sql.ref('poll_at'), sql.ref('notify_from'), sql.ref('generation')])},
    case when native_id is null then fields else ${shortFields} end as fields`,
  read: (row, claim) => ({
    ...claim,
    task: taskOf(row),
    polls: row.polls,
    pollAtMs: row.poll_at.getTime(),
    notifyFromMs: row.notify_from.getTime(),
    generation: row.generation,
    keptSinceMs: null,
  }),
};
