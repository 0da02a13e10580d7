import { type Kysely, sql } from 'kysely';
import type { Task } from '../services/tasks/task.ts';
import type { TaskEvents } from '../services/tasks/task-events.ts';
import type { NewTask, TaskFilter, TaskPlace } from '../services/tasks/tasks.ts';
import { isConnectionFailure } from '../store/connection-failure.ts';
import type { Database } from '../store/database.ts';
import { GroupCommit } from '../store/group-commit.ts';
import type { Instances } from '../work/instances.ts';
import { addTasks, removeTasks, TasksTakeTooMuch } from './add-tasks.ts';
import { OutOfDate, saveTasks, type TaskChange } from './save-tasks.ts';
import { shortFields, taskColumns, taskOf } from './stored-task.ts';

/** The tasks in the database. A process changes only tasks that it owns. */
export interface TaskStore {
  /**
   * Stores a new task, due at once, and transfers its hold to it, in one transaction. Writes are batched.
   * @throws TasksTakeTooMuch if the tasks of its account already take up their limit
   */
  add(task: NewTask): Promise<void>;
  /**
   * Writes the changes of a step. Adds the task's event if it has ended, and releases the task if there is a next step.
   * Returns when the next step is due. Writes are batched.
   * @throws OutOfDate if nothing was written
   */
  save(change: TaskChange): Promise<number | null>;
  find(taskId: string): Promise<Task | null>;
  search(filter: TaskFilter, limit: number, after?: TaskPlace): Promise<Task[]>;
  /** Makes all unfinished tasks due that this process does not own; returns how many. */
  resume(nowMs: number): Promise<number>;
  /** Tasks that ended before this time, the earliest first. */
  endedBefore(ms: number, max: number): Promise<Task[]>;
  remove(taskIds: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** The columns read for tasks outside of steps. */
const readColumns = [...taskColumns, shortFields.as('fields')] as const;

export function createTaskStore(
  db: Kysely<Database>,
  instances: Pick<Instances, 'own'>,
  events: TaskEvents,
  accountBytes: number,
): TaskStore {
  const additions = new GroupCommit<NewTask, boolean>({
    commit: (tasks) => db.transaction().execute((trx) => addTasks(trx, tasks, accountBytes)),
    isConnectionFailure,
  });
  const changes = new GroupCommit<TaskChange, number | null | false>({
    commit: (some) => saveTasks({ db, events }, some),
    isConnectionFailure,
  });
  return {
    add: async (task) => {
      if (!(await additions.add(task))) throw new TasksTakeTooMuch(task.accountId);
    },
    save: async (change) => {
      const saved = await changes.add(change);
      if (saved === false) throw new OutOfDate(change.task.id);
      return saved;
    },
    find: async (taskId) => {
      const row = await db
        .selectFrom('tasks')
        .select(readColumns)
        .where('id', '=', taskId)
        .executeTakeFirst();
      return row === undefined ? null : taskOf(row);
    },
    search: (filter, limit, after) => searchIn(db, filter, limit, after),
    resume: async (nowMs) => {
      const { numUpdatedRows } = await db
        .updateTable('tasks')
        .set({ holder: null, due_at: new Date(nowMs), poll_at: new Date(nowMs), polls: 0 })
        .where('ended_at', 'is', null)
        // Skips tasks that this process owns already: it claimed them from new requests and is working on them.
        .where(({ eb, or }) => or([eb('holder', 'is', null), eb('holder', '<>', instances.own)]))
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },
    endedBefore: async (ms, max) => {
      const rows = await db
        .selectFrom('tasks')
        .select(readColumns)
        .where('ended_at', '<', new Date(ms))
        .orderBy('ended_at')
        .limit(max)
        .execute();
      return rows.map(taskOf);
    },
    remove: async (taskIds) => {
      await db.transaction().execute((trx) => removeTasks(trx, taskIds));
    },
    close: async () => {
      await additions.close();
      await changes.close();
    },
  };
}

async function searchIn(
  db: Kysely<Database>,
  { accountId, status }: TaskFilter,
  limit: number,
  after: TaskPlace | undefined,
): Promise<Task[]> {
  let query = db
    .selectFrom('tasks')
    .select(readColumns)
    .orderBy('submitted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  if (accountId !== undefined) query = query.where('account_id', '=', accountId);
  if (status !== undefined) query = query.where('status', '=', status);
  if (after !== undefined)
    query = query.where(sql<boolean>`(submitted_at, id) < (${new Date(after.submittedAtMs)}, ${after.id})`);
  return (await query.execute()).map(taskOf);
}
