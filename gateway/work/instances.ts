import type { Gone } from '../gone.ts';
import { isFenced } from '../store/connection-failure.ts';

/** The gateway processes that ever ran on a database: this one, and which of the others are gone. */
export interface Instances {
  /**
   * The name in which this process holds what it holds; no other process ever had it. Once others took the process for
   * gone it goes on under a new one: read it for each write.
   */
  readonly own: string;
  /** Whether other processes may start and end while this one runs. */
  readonly isShared: boolean;
  /** Whether this process certainly still counts as alive, so that what it holds is its own. False while it cannot know. */
  readonly isCurrent: boolean;
  /** Registers this process. Must be awaited before anything is held in its name. */
  join(): Promise<void>;
  /**
   * Resolves when this process is current again, after others took it for gone, or once `gone` aborts. Rejects where that
   * takes too long.
   */
  rejoined(gone?: Gone): Promise<void>;
  /**
   * Called after others took this process for gone, under its new name: what it held before is no longer its own. It is
   * not current before the promise has settled.
   */
  onFenced(hear: () => Promise<void>): void;
  /**
   * Does `work` for each of the other processes that is gone, and for none that is alive. From then on the database
   * refuses what is written in their names. Rejects when the database does. Several processes may do so at once.
   */
  forEachGone(others: readonly string[], work: (gone: string) => Promise<void>): Promise<void>;
  leave(): Promise<void>;
}

/** Whether a process still counts as alive. */
export type Standing = Pick<Instances, 'isCurrent' | 'rejoined'>;

/** The only process on its database: every other one is gone. */
export function createSoleInstance(own: string): Instances {
  return {
    own,
    isShared: false,
    isCurrent: true,
    join: async () => {},
    rejoined: async () => {},
    onFenced: () => {},
    forEachGone: async (others, work) => {
      for (const other of others) await work(other);
    },
    leave: async () => {},
  };
}

/** Runs a write in the name of this process, and once more in its new one if others took it for gone meanwhile. */
export async function inOwnName<Result>(
  { rejoined }: Pick<Instances, 'rejoined'>,
  write: () => Promise<Result>,
): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!isFenced(error)) throw error;
    await rejoined();
    return write();
  }
}
