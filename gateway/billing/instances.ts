/** The gateway processes that ever ran on a database: this one, and which of the others are gone. */
export interface Instances {
  /** The id of this process; no other one has it, nor ever had. */
  readonly own: string;
  /** Whether others may come and go while this one runs. */
  readonly isShared: boolean;
  /** To be awaited before anything is held in the name of this process. */
  join(): Promise<void>;
  /**
   * Does `work` for each of the others that is gone, and for none that is alive. Rejects when the database does. While it
   * is at work on one no third process is.
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
