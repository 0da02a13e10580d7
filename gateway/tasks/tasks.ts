import type { Task } from './task.ts';

/** A task as it is handed in. */
export type NewTask = Omit<
  Task,
  'status' | 'channelId' | 'nativeId' | 'startTries' | 'pollTries' | 'ending' | 'endedAtMs'
> & {
  /** The channel that its parent was made on, where it has one; its job goes there and nowhere else. */
  readonly channelId: string | null;
};

/** The tasks of all accounts, durable. */
export interface Tasks {
  /**
   * Takes a task on and makes its hold outlive this process, in one transaction; it is QUEUED and its first step due when
   * this resolves. Returns at once: nothing upstream is waited for.
   */
  submit(task: NewTask): Promise<void>;
  /** A task of the account; null for an unknown, a foreign and a forgotten one alike. */
  find(accountId: string, taskId: string): Promise<Task | null>;
  /** Resolves when no step is under way in this process, or after `withinMs` of real time: for clocks that jump. */
  idle(withinMs: number): Promise<void>;
}
