import type { Claimed } from './due-rows.ts';

/** The result of the work on a claimed row. */
export interface WorkDone<Row extends Claimed> {
  /** When the row is due next; null if it is not, or kept. */
  readonly nextAtMs: number | null;
  /** Whether the work was slow, which its share counts; null if unknown. */
  readonly wasSlow: boolean | null;
  /** Nothing was written, because the row had changed. If this process still owns it, it is read again. */
  readonly isOutOfDate?: boolean;
  /** The row, if its result is not written and it stays claimed. */
  readonly kept?: Kept<Row>;
}

/**
 * A row that the work did not change and that is due again very soon. It stays claimed. A process that ends without writing
 * this only makes the next work run early.
 */
export interface Kept<Row extends Claimed> {
  readonly row: Row;
  readonly atMs: number;
  /** If no capacity is free by then, the row waits in the database like all others. */
  readonly untilMs: number;
  /** Writes the result after all, and releases the row. */
  readonly write: () => Promise<WorkDone<Row>>;
}
