import type { Task, TaskStatus } from './task.ts';

/** A task as submitted. */
export type NewTask = Omit<
  Task,
  'status' | 'channelId' | 'nativeId' | 'startTries' | 'pollTries' | 'ending' | 'endedAtMs'
> & {
  /** The channel that made its parent, if it has one; the job goes only there. */
  readonly channelId: string | null;
};

export interface TaskFilter {
  readonly accountId?: string;
  readonly status?: TaskStatus;
}

export type TaskPlace = Pick<Task, 'submittedAtMs' | 'id'>;

/** The durable tasks of all accounts. */
export interface Tasks {
  /**
   * Stores a task and hands its hold over to it, in one transaction, so that the hold outlives this process. When
   * this resolves, the task is QUEUED and its first step is due. It does not wait for any upstream.
   */
  submit(task: NewTask): Promise<void>;
  /** Finds a task of the account; null for unknown tasks, tasks of others and forgotten ones alike. */
  find(accountId: string, taskId: string): Promise<Task | null>;
  /** Finds a task of any account, for administrators; null for unknown and forgotten tasks alike. */
  findAny(taskId: string): Promise<Task | null>;
  /**
   * Searches the tasks of all accounts, newest first, for administrators. `after`: the last task of the previous
   * page.
   */
  search(filter: TaskFilter, limit: number, after?: TaskPlace): Promise<Task[]>;
  /**
   * Takes a job notification: the job is polled at once. A notification of an unknown job is remembered for a
   * while; one of an ended job is ignored.
   */
  notify(channelId: string, nativeId: string): Promise<void>;
  /**
   * Resolves when no step is in flight in this process, or after `withinMs` of real time. Used when a test clock jumps. A
   * step that exceeded this wait is ignored in later calls.
   */
  idle(withinMs: number): Promise<void>;
}
