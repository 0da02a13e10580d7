import { type Kysely, sql } from 'kysely';
import type { Task } from '../services/tasks/task.ts';
import type { TaskEvents } from '../services/tasks/task-events.ts';
import type { Database } from '../store/database.ts';
import type { Claimed } from '../work/due-rows.ts';
import { changedRow } from './stored-task.ts';

/** When the task may be claimed again. */
export interface NextStep {
  readonly dueAtMs: number;
  readonly polls: number;
  readonly notifyFromMs: number;
  /** The generation when the task was claimed. If the row has another one, a notification has arrived since. */
  readonly generation: number;
}

/** The changes of a step, by a claim. Without a next step, this process keeps the task until it ends. */
export interface TaskChange extends Pick<Claimed, 'holder' | 'fence'> {
  readonly task: Task;
  readonly next: NextStep | null;
}

/** The task has changed since the claim: another process owns it now, or a write of this process arrived late. */
export class OutOfDate extends Error {
  override name = 'OutOfDate';
}

interface SaveParts {
  readonly db: Kysely<Database>;
  readonly events: TaskEvents;
}

/**
 * Writes changes of tasks that this process owns, and the events of ended tasks. Returns when each task is due next; null if
 * it has ended. Returns false if another process owns it, or it has another ending or job by now. A write may reach the
 * database long after its connection broke.
 */
export async function saveTasks(
  { db, events }: SaveParts,
  changes: readonly TaskChange[],
): Promise<(number | null | false)[]> {
  const withEvents = changes
    .map(({ task }) => task)
    .filter((task) => task.endedAtMs !== null && task.webhookUrl !== null);
  const saveEnds = async (trx: Kysely<Database>): Promise<Map<string, Date | null>> => {
    const saved = await save(trx, changes);
    const savedEnds = withEvents.filter((task) => saved.has(task.id));
    if (savedEnds.length > 0) await events.insert(trx, savedEnds);
    return saved;
  };
  const saving = withEvents.length === 0 ? save(db, changes) : db.transaction().execute(saveEnds);
  // Also after a failure: the events may have been stored.
  const saved = await saving.finally(() => {
    if (withEvents.length > 0) events.wake(withEvents);
  });
  return changes.map(({ task: { id } }) => saved.has(id) && (saved.get(id)?.getTime() ?? null));
}

/** The process that ended a task stays recorded as its holder. The caller's input is dropped. */
async function save(db: Kysely<Database>, changes: readonly TaskChange[]): Promise<Map<string, Date | null>> {
  const ids = changes.map(({ task }) => task.id);
  const { rows } = await sql<{ id: string; due_at: Date | null }>`
    with changed as (
    update tasks as t set
      fields = case when x.ended_at is null then t.fields else '{}' end,
      bytes = case when x.ended_at is null then t.bytes else t.bytes - octet_length(t.fields) end,
      status = x.status, channel_id = x.channel_id, native_id = x.native_id, start_tries = x.start_tries,
      poll_tries = x.poll_tries, ending = x.ending, ended_at = x.ended_at,
      due_at = case
        when x.ended_at is not null then null
        when x.due_at is null then t.due_at
        when t.generation = x.generation then x.due_at
        else least(x.due_at, greatest(t.due_at, x.notify_from))
      end,
      holder = case when x.due_at is null then t.holder end,
      poll_at = coalesce(x.due_at, t.poll_at), polls = coalesce(x.polls, t.polls),
      notify_from = coalesce(x.notify_from, t.notify_from)
    from (select id as old_id, bytes as old_bytes from tasks where id = any(${ids}::text[])) as old,
      json_to_recordset(${JSON.stringify(changes.map(rowOf))}::json) as x(
      id text, status text, channel_id text, native_id text, start_tries integer, poll_tries integer, ending text,
      ended_at timestamptz, due_at timestamptz, polls integer, notify_from timestamptz, generation integer,
      holder text, fence integer)
    where t.id = any(${ids}::text[]) and t.id = x.id and t.id = old_id and t.ended_at is null
      and t.holder = x.holder and t.claims = x.fence
      and (t.ending is null or t.ending = x.ending) and (t.native_id is null or t.native_id = x.native_id)
    returning t.id, t.due_at, t.account_id, old_bytes - t.bytes as freed),
    less as (
      select known.account_id, gone.freed from task_bytes as known
        join (select account_id, sum(freed) as freed from changed where freed > 0 group by account_id) as gone
        on gone.account_id = known.account_id
      order by known.account_id for update of known),
    kept as (
      update task_bytes as known set bytes = known.bytes - less.freed from less where known.account_id = less.account_id)
    select id, due_at from changed`.execute(db);
  return new Map(rows.map((row) => [row.id, row.due_at]));
}

/** The row in a form that passes through JSON without loss. */
function rowOf({ task, next, holder, fence }: TaskChange) {
  const row = { ...changedRow(task), holder, fence };
  if (next === null) return row;
  const { dueAtMs, polls, notifyFromMs, generation } = next;
  return {
    ...row,
    due_at: new Date(dueAtMs),
    polls,
    notify_from: new Date(notifyFromMs),
    generation,
  };
}
