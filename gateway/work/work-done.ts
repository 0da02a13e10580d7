import type { Claimed } from './due-rows.ts';

/** The result of the work on a claimed row. */
export interface WorkDone<Row extends Claimed> {
  /** When the row is due next; null if it is not, or kept. */
  readonly nextAtMs: number | null;
  /** Whether the work was slow, which its share counts; null if unknown. */
  readonly wasSlow: boolean | null;
  /** Nothing was written: the row was not as this process knew it. If it is still this process's, it is read again. */
  readonly isOutOfDate?: boolean;
  /** The row, if its result is not written and it stays claimed. */
  readonly kept?: Kept<Row>;
}

/**
 * A row on which the work changed nothing, and which is due again very soon. It stays claimed, so a process that
 * ends without writing this only makes the next work come early.
 */
export interface Kept<Row extends Claimed> {
  readonly row: Row;
  readonly atMs: number;
  /** If there is no free capacity until then, the row waits in the database like all others. */
  readonly untilMs: number;
  /** Writes the result after all, and releases the row. */
  readonly write: () => Promise<WorkDone<Row>>;
}
