import type { Task, TaskEnding } from './task.ts';

/**
 * What tasks/ needs of the rest of the gateway. tasks/ decides when each step runs, and stores its result. Each
 * step may run again after a crash and must then have the same effect: a job is started once, and charged once.
 */
export interface TaskWork {
  /**
   * Starts the job upstream. `noteChannel` makes the choice of a channel durable before anything is sent there. So
   * a second attempt after a crash goes to the same channel, and first asks whether the job exists.
   */
  start(task: Task, noteChannel: (channelId: string) => Promise<void>): Promise<StartStep>;
  /** Polls a started job once, and fetches the outputs of a finished one. */
  check(task: Task): Promise<CheckStep>;
  /** Charges the task by its ending (nothing unless SUCCESS), and releases its hold: durable when resolved. */
  settle(task: Task, ending: TaskEnding, atMs: number): Promise<void>;
  /** Removes the outputs of a task when it is forgotten. */
  forget(task: Task): Promise<void>;
}

export type StartStep =
  | { readonly kind: 'started'; readonly channelId: string; readonly nativeId: string }
  /**
   * Retry later. `channelId`: the channel that may have the job (only it may be tried again), or null if there is certainly
   * no job. `ending` is how the task ends when no attempt is left.
   */
  | {
      readonly kind: 'later';
      readonly afterMs: number | null;
      readonly channelId: string | null;
      readonly ending: TaskEnding;
    }
  | { readonly kind: 'ended'; readonly ending: TaskEnding };

export type CheckStep =
  /** Still running. `afterMs` is the wait that the upstream asks for. */
  | { readonly kind: 'running'; readonly afterMs: number | null }
  /** No usable answer. `ending` is how the task ends after too many of them in a row. */
  | { readonly kind: 'unclear'; readonly afterMs: number | null; readonly ending: TaskEnding }
  | { readonly kind: 'ended'; readonly ending: TaskEnding };
