import type { Clock } from '../clock.ts';

/** How a batch of rows is committed. */
export interface GroupCommitOptions<Row, Result> {
  /**
   * Writes the rows in one durable statement, all or none, and returns the result of each. Also called with single
   * rows.
   */
  commit(rows: readonly Row[]): Promise<readonly Result[]>;
  /** Whether a failed commit says nothing about its rows. Such a batch is not retried row by row. */
  isConnectionFailure(error: unknown): boolean;
  /** Maximum rows in a batch. */
  batchMax?: number;
  /** Maximum waiting rows; beyond it `add` rejects. */
  queueMax?: number;
  /** Maximum batches in flight. Rows of different batches may commit in any order. */
  inFlightMax?: number;
  /** How long rows wait for more rows under load, and the timer for it. Without it rows never wait. */
  gathering?: { readonly ms: number; readonly timer: Pick<Clock, 'schedule'> } | null;
}

/** Too many rows are waiting: the database cannot keep up. */
export class GroupCommitFull extends Error {
  override name = 'GroupCommitFull';
}

/** The writer is closed and takes no more rows. */
export class GroupCommitClosed extends Error {
  override name = 'GroupCommitClosed';
}

interface Waiting<Row, Result> {
  readonly row: Row;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

const maxBatch = 100;
const maxQueue = 20_000;
/** Minimum rows for an additional batch: fewer are not worth its cost. */
const worthwhile = 8;
/** With this many rows, a batch starts without waiting for more. */
const plenty = 16;

/**
 * Writes rows in batches: while one is in flight, the next collects what arrives. Where several may be in flight, a
 * further one starts when enough rows wait. After a batch of several rows, the next may wait a moment for more.
 *
 * A commit costs about the same for one row as for a hundred. So under load, batches regain most of the throughput
 * that is lost by waiting for durability before each answer. With one batch in flight, rows are committed in the
 * order of `add`. A batch that fails because of its rows is retried row by row, so that a bad row fails alone. If the connection fails,
 * every row of the batch is rejected, although the commit may have reached the disk.
 */
export class GroupCommit<Row, Result> {
  readonly #options: Required<GroupCommitOptions<Row, Result>>;
  #queue: Waiting<Row, Result>[] = [];
  /** Writers in progress. Each writes batch after batch until no row waits. */
  readonly #writers = new Set<Promise<void>>();
  #writing = 0;
  /** Starts the batch that is waiting for more rows; null if none is. */
  #beginGathered: (() => void) | null = null;
  /** Number of rows in the last batch. */
  #lastRows = 1;
  #closed = false;

  constructor(options: GroupCommitOptions<Row, Result>) {
    this.#options = { batchMax: maxBatch, queueMax: maxQueue, inFlightMax: 1, gathering: null, ...options };
  }

  /**
   * Resolves with the row's result when the row is durable. Rejects with the database's error, with
   * GroupCommitFull if too many rows are waiting, or with GroupCommitClosed after `close`.
   */
  add(row: Row): Promise<Result> {
    if (this.#closed) {
      return Promise.reject(new GroupCommitClosed('the writer is closed'));
    }
    if (this.#queue.length >= this.#options.queueMax) {
      return Promise.reject(new GroupCommitFull(`${this.#queue.length} rows wait to be written already`));
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ row, resolve, reject });
      if (this.#beginGathered !== null) {
        if (this.#queue.length >= plenty) this.#beginGathered();
        return;
      }
      const isWorthwhile = this.#writing === 0 || this.#queue.length >= worthwhile;
      if (isWorthwhile && this.#writing < this.#options.inFlightMax) this.#begin();
    });
  }

  /** Resolves when every row that was added has been committed or rejected. Never rejects. */
  async drain(): Promise<void> {
    while (this.#writers.size > 0) {
      await Promise.all(this.#writers);
    }
  }

  /** Rejects new rows from now on and drains. */
  close(): Promise<void> {
    this.#closed = true;
    this.#beginGathered?.();
    return this.drain();
  }

  #begin(): void {
    this.#writing += 1;
    const writer = this.#work();
    this.#writers.add(writer);
    void writer.then(() => this.#writers.delete(writer));
  }

  async #work(): Promise<void> {
    // Rows that are added in the same tick belong in the first batch.
    await Promise.resolve();
    // A batch that is waiting for more rows takes them all.
    while (this.#queue.length > 0 && this.#beginGathered === null) {
      if (this.#isCrowded()) await this.#gather();
      const batch = this.#queue.slice(0, this.#options.batchMax);
      this.#queue = this.#queue.slice(this.#options.batchMax);
      this.#lastRows = batch.length;
      await this.#write(batch);
    }
    // Synchronously: a row added from here on needs another writer.
    this.#writing -= 1;
  }

  /** Whether more rows are likely to arrive soon: not after a batch of a single row. */
  #isCrowded(): boolean {
    return this.#lastRows > 1 && this.#queue.length < plenty && !this.#closed;
  }

  /** Waits until enough rows have arrived, or for a moment. */
  async #gather(): Promise<void> {
    const { gathering } = this.#options;
    if (gathering === null) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#beginGathered = resolve;
    const late = gathering.timer.schedule(gathering.ms, resolve);
    await promise;
    late.cancel();
    this.#beginGathered = null;
  }

  async #write(batch: readonly Waiting<Row, Result>[]): Promise<void> {
    try {
      resolveAll(batch, await this.#options.commit(batch.map(({ row }) => row)));
    } catch (error) {
      if (batch.length > 1 && !this.#options.isConnectionFailure(error)) {
        await this.#writeOneByOne(batch);
      } else {
        rejectAll(batch, error);
      }
    }
  }

  async #writeOneByOne(batch: readonly Waiting<Row, Result>[]): Promise<void> {
    for (const [index, waiting] of batch.entries()) {
      try {
        resolveAll([waiting], await this.#options.commit([waiting.row]));
      } catch (error) {
        if (this.#options.isConnectionFailure(error)) {
          rejectAll(batch.slice(index), error);
          return;
        }
        waiting.reject(error);
      }
    }
  }
}

function resolveAll<Result>(batch: readonly Waiting<unknown, Result>[], results: readonly Result[]): void {
  if (results.length !== batch.length) throw new Error(`${results.length} results of ${batch.length} rows`);
  for (const [index, result] of results.entries()) batch[index]?.resolve(result);
}

function rejectAll(batch: readonly Waiting<unknown, never>[], error: unknown): void {
  for (const waiting of batch) {
    waiting.reject(error);
  }
}
