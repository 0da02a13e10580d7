import type { Gone } from '../gone.ts';
import { isFenced } from '../store/connection-failure.ts';

/** This gateway process, and which other processes on its database are dead. */
export interface Instances {
  /**
   * The owner id of this process; no other process ever had it. The process gets a new id once others have declared it dead:
   * read it for each write.
   */
  readonly own: string;
  /** Whether other processes may start and end while this one runs. */
  readonly isShared: boolean;
  /** Whether this process certainly counts as alive, so that it still owns what it holds. False while it cannot know. */
  readonly isCurrent: boolean;
  /** Registers this process. Await it before holding anything under its id. */
  join(): Promise<void>;
  /**
   * Resolves when this process is current again after others declared it dead, or once `gone` aborts. Rejects after a time
   * limit.
   */
  rejoined(gone?: Gone): Promise<void>;
  /**
   * Called with the new id after others declared this process dead: it no longer owns what it held. The process is not
   * current before the promise has settled.
   */
  onFenced(hear: () => Promise<void>): void;
  /**
   * Runs `work` for each of the other processes that is dead, and for none that is alive. From then on the database rejects
   * writes under their ids. Rejects if the database does. Several processes may do this at once.
   */
  forEachGone(others: readonly string[], work: (gone: string) => Promise<void>): Promise<void>;
  leave(): Promise<void>;
}

/** Whether a process still counts as alive. */
export type Standing = Pick<Instances, 'isCurrent' | 'rejoined'>;

/** The only process on its database: every other one is dead. */
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

/**
 * Runs a write under the id of this process. Repeats it once under the new id if others declared the process dead meanwhile.
 */
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
