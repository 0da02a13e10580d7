import type { Task, TaskStatus } from './task.ts';

/** A task as it is handed in. */
export type NewTask = Omit<
  Task,
  'status' | 'channelId' | 'nativeId' | 'startTries' | 'pollTries' | 'ending' | 'endedAtMs'
> & {
  /** The channel that its parent was made on, where it has one; its job goes there and nowhere else. */
  readonly channelId: string | null;
};

export interface TaskFilter {
  readonly accountId?: string;
  readonly status?: TaskStatus;
}

export type TaskPlace = Pick<Task, 'submittedAtMs' | 'id'>;

/** The tasks of all accounts, durable. */
export interface Tasks {
  /**
   * Takes a task on and makes its hold outlive this process, in one transaction; it is QUEUED and its first step due when
   * this resolves. Returns at once: nothing upstream is waited for.
   */
  submit(task: NewTask): Promise<void>;
  /** A task of the account; null for an unknown, a foreign and a forgotten one alike. */
  find(accountId: string, taskId: string): Promise<Task | null>;
  /** A task of any account, for administrators; null for an unknown and a forgotten one alike. */
  findAny(taskId: string): Promise<Task | null>;
  /** Tasks of all accounts, the newest first, for administrators. `after`: the last one of the page before. */
  search(filter: TaskFilter, limit: number, after?: TaskPlace): Promise<Task[]>;
  /**
   * Takes a notification of a job: it is asked after at once. Of a job that is not known yet the notification is kept in mind
   * for a while; of one that has ended it is nothing.
   */
  notify(channelId: string, nativeId: string): Promise<void>;
  /**
   * Resolves when the steps that are under way in this process are over, or after `withinMs` of real time: for clocks that
   * jump. A step that was waited for in vain is not waited for again.
   */
  idle(withinMs: number): Promise<void>;
}
