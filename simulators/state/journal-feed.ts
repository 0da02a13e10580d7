import type { ConsoleRow } from '../control/console-shapes.ts';
import type { JournalRecord } from './journal-record.ts';

/** A source of rows for its records: a journal. */
export interface RowSource {
  rowOf(record: JournalRecord): ConsoleRow;
}

/** A listener for changes. Each method is called synchronously, and must be quick. */
export interface FeedListener {
  /** A request arrived or progressed. Called often. */
  changed(journal: RowSource, record: JournalRecord): void;
  /** A record was dropped to save space. */
  dropped(record: JournalRecord): void;
  /** A tenant's journal was emptied. */
  cleared(tenant: string): void;
}

/** The changes of the journals of all tenants. Without listeners it costs nothing. */
export class JournalFeed {
  readonly #listeners = new Set<FeedListener>();

  /** Calls the listener until the returned function is called. */
  listen(listener: FeedListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  changed(journal: RowSource, record: JournalRecord): void {
    for (const listener of this.#listeners) listener.changed(journal, record);
  }

  dropped(record: JournalRecord): void {
    for (const listener of this.#listeners) listener.dropped(record);
  }

  cleared(tenant: string): void {
    for (const listener of this.#listeners) listener.cleared(tenant);
  }
}
