import type { Clock } from '../clock.ts';
import type { ConsoleRow } from '../control/console-shapes.ts';
import type { JournalAnswer, JournalEntry, JournalQuery } from '../control/journal.ts';
import { JournalFeed } from './journal-feed.ts';
import { type Arrival, JournalRecord, type RecordHolder } from './journal-record.ts';
import { rowOf } from './journal-row.ts';
import { JournalSpace } from './journal-space.ts';
import { withTexts } from './journal-texts.ts';
import { Redaction } from './redaction.ts';

/** The limits of a tenant's journal. The oldest entries are dropped first; the newest always stays. */
export interface JournalLimits {
  readonly entries: number;
  /** Bytes of request and reply bodies together. */
  readonly bodyBytes: number;
}

const defaultLimits: JournalLimits = { entries: 2000, bodyBytes: 128 * 1024 * 1024 };

/** All requests that reached one tenant's upstreams. It notifies every waiting query of every change. */
export class Journal implements RecordHolder {
  readonly #tenant: string;
  readonly #limits: JournalLimits;
  readonly #redaction: Redaction;
  readonly #space: JournalSpace;
  readonly #feed: JournalFeed;
  readonly #watchers = new Set<() => void>();
  #records: JournalRecord[] = [];
  #bodyBytes = 0;
  #heldBytes = 0;
  #lastN = 0;
  #dropped = 0;

  constructor(
    tenant: string,
    limits: JournalLimits = defaultLimits,
    redaction: Redaction = new Redaction(),
    space: JournalSpace = new JournalSpace(),
    feed: JournalFeed = new JournalFeed(),
  ) {
    this.#tenant = tenant;
    this.#limits = limits;
    this.#redaction = redaction;
    this.#space = space;
    this.#feed = feed;
    space.add(this);
  }

  open(arrival: Arrival): JournalRecord {
    this.#lastN += 1;
    const record = new JournalRecord(this.#tenant, this.#lastN, arrival, this);
    this.#records.push(record);
    this.changed(record, 0, record.heldBytes);
    return record;
  }

  /** Drops all entries. Numbering continues, so that a late request is never taken for a new one. */
  clear(): void {
    for (const record of this.#records) record.isHeld = false;
    this.#records = [];
    this.#bodyBytes = 0;
    this.#hold(-this.#heldBytes);
    this.#dropped = 0;
    this.#feed.cleared(this.#tenant);
    this.#notify();
  }

  /** Returns the selected entries, and whether they satisfy the query. */
  read(query: JournalQuery): JournalAnswer {
    const selected = this.#select(query);
    const satisfied = isSatisfied(selected, query);
    return {
      satisfied,
      entries: selected
        .map((record) => record.toEntry(this.#redaction, query.body_bytes))
        .map((entry) => (query.bodies === 'text' ? withTexts(entry) : entry)),
      dropped: this.#dropped,
    };
  }

  /** One request; null if it is not in the journal. */
  entry(n: number): JournalEntry | null {
    return this.#records.find((record) => record.n === n)?.toEntry(this.#redaction) ?? null;
  }

  /** The row of one record in the list of requests. */
  rowOf(record: JournalRecord): ConsoleRow {
    return rowOf(this.#tenant, record, this.#redaction);
  }

  /** All records, oldest first. */
  get records(): readonly JournalRecord[] {
    return this.#records;
  }

  isSatisfied(query: JournalQuery): boolean {
    return isSatisfied(this.#select(query), query);
  }

  /** Calls `onChange` after every change until the returned function is called. */
  watch(onChange: () => void): () => void {
    this.#watchers.add(onChange);
    return () => this.#watchers.delete(onChange);
  }

  #select(query: JournalQuery): JournalRecord[] {
    const { after = 0, marker, path } = query;
    return this.#records.filter(
      (record) =>
        record.n > after &&
        (path === undefined || record.path.includes(path)) &&
        (marker === undefined || record.requestContains(marker)),
    );
  }

  get lastN(): number {
    return this.#lastN;
  }

  /** Starts the numbering after this number. */
  countFrom(lastN: number): void {
    this.#lastN = Math.max(this.#lastN, lastN);
  }

  /** Whether it is empty and no query waits for it. */
  get isIdle(): boolean {
    return this.#records.length === 0 && this.#watchers.size === 0;
  }

  /** Total size of the entries, their overhead included. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Drops the oldest entry to free space. */
  dropOldest(): void {
    const oldest = this.#records.shift();
    if (oldest === undefined) return;
    oldest.isHeld = false;
    this.#feed.dropped(oldest);
    this.#bodyBytes -= oldest.bodyBytes;
    this.#hold(-oldest.heldBytes);
    this.#dropped += 1;
  }

  /** Only for its records. */
  changed(record: JournalRecord, bytes: number, more: number): void {
    if (record.isHeld) {
      this.#bodyBytes += bytes;
      this.#hold(bytes + more);
    }
    while (this.#isOverfull()) this.dropOldest();
    this.#space.makeRoom();
    if (record.isHeld) this.#feed.changed(this, record);
    this.#notify();
  }

  #hold(bytes: number): void {
    this.#heldBytes += bytes;
    this.#space.count(bytes);
  }

  #isOverfull(): boolean {
    const { entries, bodyBytes } = this.#limits;
    return this.#records.length > 1 && (this.#records.length > entries || this.#bodyBytes > bodyBytes);
  }

  #notify(): void {
    if (this.#watchers.size === 0) return;
    for (const watcher of [...this.#watchers]) watcher();
  }
}

function isSatisfied(records: readonly JournalRecord[], query: JournalQuery): boolean {
  const { requests = 0, waiting = 0, ended = 0 } = query;
  const counts = { arrived: 0, waiting: 0, ended: 0 };
  for (const record of records) {
    // A request that is still being read would show only part of its body to the waiting query.
    if (record.isComplete || record.ended !== 'open') counts.arrived += 1;
    if (record.waitingAt !== null) counts.waiting += 1;
    if (record.ended !== 'open') counts.ended += 1;
  }
  return counts.arrived >= requests && counts.waiting >= waiting && counts.ended >= ended;
}

const defaultTimeoutMs = 5000;

/**
 * Answers as soon as the journal satisfies the query. After the query's timeout it answers with the entries so
 * far. It reacts to changes of the journal and never polls. It also ends when the signal aborts.
 */
export function awaitJournal(
  journal: Journal,
  query: JournalQuery,
  clock: Clock,
  signal: AbortSignal,
): Promise<JournalAnswer> {
  return new Promise((resolve) => {
    const answer = (): void => {
      unwatch();
      timeout.cancel();
      signal.removeEventListener('abort', answer);
      resolve(journal.read(query));
    };
    const answerIfSatisfied = (): void => {
      if (journal.isSatisfied(query)) answer();
    };
    const unwatch = journal.watch(answerIfSatisfied);
    const timeout = clock.schedule(query.timeout_ms ?? defaultTimeoutMs, answer);
    signal.addEventListener('abort', answer, { once: true });
    answerIfSatisfied();
  });
}
