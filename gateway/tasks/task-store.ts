import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { isConnectionFailure } from '../store/connection-failure.ts';
import { type Database, TASKS_HOLDER } from '../store/database.ts';
import { GroupCommit } from '../store/group-commit.ts';
import { QUEUE, QUEUE_SCHEMA, type StepQueue } from './step-queue.ts';
import { changedRow, fieldsOf, newRow, TASK_COLUMNS, taskOf } from './stored-task.ts';
import type { Task } from './task.ts';
import type { TaskEnds } from './task-ends.ts';
import type { NewTask, TaskFilter, TaskPlace } from './tasks.ts';

/** The tasks in the database. A process changes those that it holds, and no others. */
export interface TaskStore {
  /** Keeps a new task, entrusts its hold to it and queues it, all or nothing; many at once together. */
  add(task: NewTask): Promise<void>;
  /** Takes queued tasks, which this process holds from then on. */
  take(most: number): Promise<Task[]>;
  /** Writes what a step has changed; false when this process does not hold the task any more. Many at once together. */
  save(task: Task): Promise<boolean>;
  find(taskId: string): Promise<Task | null>;
  /** The task with its fields, however long they are. */
  whole(task: Task): Promise<Task>;
  search(filter: TaskFilter, limit: number, after?: TaskPlace): Promise<Task[]>;
  /** Whether there is a task that has not ended. */
  hasUnended(): Promise<boolean>;
  /** Who holds tasks that have not ended, this process left out. */
  otherHolders(): Promise<string[]>;
  /** Queues what one held, or all of them (null), did not end; how many. */
  release(holder: string | null): Promise<number>;
  /** Queues tasks that nobody holds and that are in no queue; how many. */
  queueStrays(): Promise<number>;
  /** Tasks that ended before, the earliest first. */
  endedBefore(ms: number, most: number): Promise<Task[]>;
  remove(taskIds: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

export function createTaskStore(
  db: Kysely<Database>,
  queue: StepQueue,
  own: string,
  ends: TaskEnds,
): TaskStore {
  const additions = new GroupCommit<NewTask, null>({
    commit: async (tasks) => {
      await queue.open();
      await db.transaction().execute((trx) => addAll(trx, queue, tasks));
      return tasks.map(() => null);
    },
    isConnectionFailure,
  });
  const changes = new GroupCommit<Task, boolean>({
    commit: (tasks) => saveAll({ db, queue, own, ends }, tasks),
    isConnectionFailure,
  });
  return {
    add: async (task) => {
      await additions.add(task);
    },
    take: (most) => db.transaction().execute((trx) => takeSome(trx, queue, own, most)),
    save: (task) => changes.add(task),
    find: async (taskId) => {
      const row = await db
        .selectFrom('tasks')
        .select(TASK_COLUMNS)
        .where('id', '=', taskId)
        .executeTakeFirst();
      return row === undefined ? null : taskOf(row);
    },
    whole: (task) => whole(db, task),
    search: (filter, limit, after) => searchIn(db, filter, limit, after),
    hasUnended: () => hasUnended(db),
    otherHolders: () => otherHolders(db, own),
    release: (holder) => db.transaction().execute((trx) => releaseAll(trx, queue, holder)),
    queueStrays: () => db.transaction().execute((trx) => queueStrays(trx, queue)),
    endedBefore: (ms, most) => endedBefore(db, ms, most),
    remove: async (taskIds) => {
      await db
        .deleteFrom('tasks')
        .where('id', 'in', [...taskIds])
        .execute();
    },
    close: async () => {
      await additions.close();
      await changes.close();
    },
  };
}

async function addAll(trx: Kysely<Database>, queue: StepQueue, tasks: readonly NewTask[]): Promise<void> {
  const rows = tasks.map((task) => newRow(task, randomUUID()));
  await trx.insertInto('tasks').values(rows).execute();
  await trx
    .updateTable('open_holds')
    .set({ holder: TASKS_HOLDER })
    .where(
      'request_id',
      'in',
      tasks.map((task) => task.requestId),
    )
    .execute();
  await queue.send(
    trx,
    rows.map((row) => row.job_id),
  );
}

async function takeSome(trx: Kysely<Database>, queue: StepQueue, own: string, most: number): Promise<Task[]> {
  const jobIds = await queue.take(trx, most);
  if (jobIds.length === 0) return [];
  const rows = await trx
    .updateTable('tasks')
    .set({ holder: own })
    .where('job_id', 'in', jobIds)
    .where('ended_at', 'is', null)
    .returning([...TASK_COLUMNS, 'job_id'])
    .execute();
  const known = new Set(rows.map((row) => row.job_id));
  const stale = jobIds.filter((jobId) => !known.has(jobId));
  if (stale.length > 0) await queue.drop(trx, stale);
  return rows.map(taskOf).sort((one, other) => one.submittedAtMs - other.submittedAtMs);
}

interface SaveParts {
  readonly db: Kysely<Database>;
  readonly queue: StepQueue;
  readonly own: string;
  readonly ends: TaskEnds;
}

async function saveAll({ db, queue, own, ends }: SaveParts, tasks: readonly Task[]): Promise<boolean[]> {
  const save = async (executor: Kysely<Database>): Promise<{ id: string; job_id: string }[]> => {
    const { rows } = await sql<{ id: string; job_id: string }>`
      update tasks as t set
        status = x.status, channel_id = x.channel_id, native_id = x.native_id, start_tries = x.start_tries,
        poll_tries = x.poll_tries, ending = x.ending, ended_at = x.ended_at
      from json_to_recordset(${JSON.stringify(tasks.map(changedRow))}::json) as x(
        id text, status text, channel_id text, native_id text, start_tries integer, poll_tries integer, ending text,
        ended_at timestamptz)
      where t.id = x.id and t.holder = ${own} and t.ended_at is null
      returning t.id, t.job_id`.execute(executor);
    return rows;
  };
  const ended = new Map(tasks.filter((task) => task.endedAtMs !== null).map((task) => [task.id, task]));
  const told = [...ended.values()].filter((task) => task.webhookUrl !== null);
  const saveEnds = async (trx: Kysely<Database>): Promise<{ id: string; job_id: string }[]> => {
    const rows = await save(trx);
    const over = rows.filter((row) => ended.has(row.id));
    if (over.length > 0)
      await queue.drop(
        trx,
        over.map((row) => row.job_id),
      );
    const ids = new Set(over.map((row) => row.id));
    const toTell = told.filter((task) => ids.has(task.id));
    if (toTell.length > 0) await ends.keep(trx, toTell);
    return rows;
  };
  const saving = ended.size === 0 ? save(db) : db.transaction().execute(saveEnds);
  // Also where it failed: whether what it kept is there nobody knows then.
  const saved = await saving.finally(() => {
    if (told.length > 0) ends.kept(told);
  });
  const ids = new Set(saved.map((row) => row.id));
  return tasks.map((task) => ids.has(task.id));
}

async function releaseAll(trx: Kysely<Database>, queue: StepQueue, holder: string | null): Promise<number> {
  const rows = await trx
    .updateTable('tasks')
    .set({ holder: null })
    .where('ended_at', 'is', null)
    .$if(holder !== null, (query) => query.where('holder', '=', holder))
    .returning('job_id')
    .execute();
  const jobIds = rows.map((row) => row.job_id);
  if (jobIds.length === 0) return 0;
  // Taken in the name of who is gone: it waits again.
  await queue.drop(trx, jobIds);
  await queue.send(trx, jobIds);
  return jobIds.length;
}

async function queueStrays(trx: Kysely<Database>, queue: StepQueue): Promise<number> {
  const rows = await trx
    .selectFrom('tasks')
    .select('job_id')
    .where('ended_at', 'is', null)
    .where('holder', 'is', null)
    .where(({ not, exists }) =>
      not(
        exists(
          sql`(select from ${sql.table(`${QUEUE_SCHEMA}.job`)} as job where job.name = ${QUEUE} and job.id = tasks.job_id)`,
        ),
      ),
    )
    .forUpdate()
    .execute();
  const jobIds = rows.map((row) => row.job_id);
  if (jobIds.length > 0) await queue.send(trx, jobIds);
  return jobIds.length;
}

async function searchIn(
  db: Kysely<Database>,
  { accountId, status }: TaskFilter,
  limit: number,
  after: TaskPlace | undefined,
): Promise<Task[]> {
  let query = db
    .selectFrom('tasks')
    .select(TASK_COLUMNS)
    .orderBy('submitted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  if (accountId !== undefined) query = query.where('account_id', '=', accountId);
  if (status !== undefined) query = query.where('status', '=', status);
  if (after !== undefined)
    query = query.where(sql<boolean>`(submitted_at, id) < (${new Date(after.submittedAtMs)}, ${after.id})`);
  return (await query.execute()).map(taskOf);
}

async function hasUnended(db: Kysely<Database>): Promise<boolean> {
  const row = await db
    .selectFrom('tasks')
    .select('id')
    .where('ended_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

async function otherHolders(db: Kysely<Database>, own: string): Promise<string[]> {
  const rows = await db
    .selectFrom('tasks')
    .select('holder')
    .distinct()
    .where('ended_at', 'is', null)
    .where('holder', '<>', own)
    .execute();
  return rows.flatMap(({ holder }) => holder ?? []);
}

async function endedBefore(db: Kysely<Database>, ms: number, most: number): Promise<Task[]> {
  const rows = await db
    .selectFrom('tasks')
    .select(TASK_COLUMNS)
    .where('ended_at', '<', new Date(ms))
    .orderBy('ended_at')
    .limit(most)
    .execute();
  return rows.map(taskOf);
}

async function whole(db: Kysely<Database>, task: Task): Promise<Task> {
  // No task is without any: they were too long to be carried along.
  if (Object.keys(task.fields).length > 0) return task;
  const row = await db.selectFrom('tasks').select('fields').where('id', '=', task.id).executeTakeFirst();
  return row === undefined ? task : { ...task, fields: fieldsOf(row.fields) };
}
