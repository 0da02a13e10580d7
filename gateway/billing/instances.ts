/** The gateway processes that ever ran on a database: this one, and which of the others are gone. */
export interface Instances {
  /** The unique id of this process; no other process ever had it. */
  readonly own: string;
  /** Whether other processes may start and end while this one runs. */
  readonly isShared: boolean;
  /** Registers this process. Must be awaited before anything is held in its name. */
  join(): Promise<void>;
  /**
   * Does `work` for each of the other processes that is gone, and for none that is alive. Rejects when the
   * database does. While it works on one, no third process does.
   */
  forEachGone(others: readonly string[], work: (gone: string) => Promise<void>): Promise<void>;
  leave(): Promise<void>;
}

/** The only process on its database: every other one is gone. */
export function createSoleInstance(own: string): Instances {
  return {
    own,
    isShared: false,
    join: async () => {},
    forEachGone: async (others, work) => {
      for (const other of others) await work(other);
    },
    leave: async () => {},
  };
}
