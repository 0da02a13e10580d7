import type { Task, TaskEnding } from './task.ts';

/**
 * What a task needs of the rest of the gateway; tasks/ decides when each is done and keeps what came of it. Each may be
 * done again after a crash and then has to come to the same: a job is started once, and charged once.
 */
export interface TaskWork {
  /**
   * Starts the job upstream. `noteChannel` makes the choice of a channel durable before anything is sent there, so that
   * a second try after a crash goes to the same one and asks whether there is a job already.
   */
  start(task: Task, noteChannel: (channelId: string) => Promise<void>): Promise<StartStep>;
  /** Asks once after a started job, and fetches what a finished one made. */
  check(task: Task): Promise<CheckStep>;
  /** Charges the task by its ending (nothing unless SUCCESS), and gives back what it held: durable when resolved. */
  settle(task: Task, ending: TaskEnding, atMs: number): Promise<void>;
  /** Removes what a task made, when it is forgotten. */
  forget(task: Task): Promise<void>;
}

export type StartStep =
  | { readonly kind: 'started'; readonly channelId: string; readonly nativeId: string }
  /**
   * Not now. `channelId`: the one that may have the job (it must be tried there again), or null when there is certainly
   * none. `ending` is what the task comes to when no try is left.
   */
  | {
      readonly kind: 'later';
      readonly afterMs: number | null;
      readonly channelId: string | null;
      readonly ending: TaskEnding;
    }
  | { readonly kind: 'ended'; readonly ending: TaskEnding };

export type CheckStep =
  /** Still at it. `afterMs` is what the upstream asks to be left alone for. */
  | { readonly kind: 'running'; readonly afterMs: number | null }
  /** No usable answer; `ending` is what the task comes to when too many follow each other. */
  | { readonly kind: 'unclear'; readonly afterMs: number | null; readonly ending: TaskEnding }
  | { readonly kind: 'ended'; readonly ending: TaskEnding };
