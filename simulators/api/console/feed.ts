import type { Clock } from '../../clock.ts';
import type { ConsoleRow } from '../../control/console-shapes.ts';
import type { RowSource } from '../../state/journal-feed.ts';
import type { JournalRecord } from '../../state/journal-record.ts';
import type { Tenants } from '../../state/tenants.ts';

/** Changes to a request within this time, ms, produce one row. */
const gatherMs = 60;
/** Interval of the keep-alive comment on a stream without changes, ms. */
const quietMs = 10_000;
/** The maximum number of rows in one event. */
const rowsAtOnce = 500;

/** Changes that are not sent yet. It never holds more than the journals hold. */
class Untold {
  readonly #rows = new Map<JournalRecord, RowSource>();
  #cleared = new Set<string>();
  #wake: (() => void) | null = null;

  change(source: RowSource, record: JournalRecord): void {
    this.#rows.set(record, source);
    this.#wake?.();
  }

  drop(record: JournalRecord): void {
    this.#rows.delete(record);
  }

  clear(tenant: string): void {
    for (const record of this.#rows.keys()) if (!record.isHeld) this.#rows.delete(record);
    this.#cleared.add(tenant);
    this.#wake?.();
  }

  get isEmpty(): boolean {
    return this.#rows.size === 0 && this.#cleared.size === 0;
  }

  /** Resolves at the next change. */
  async next(clock: Clock, withinMs: number, signal: AbortSignal): Promise<void> {
    if (!this.isEmpty || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        timer.cancel();
        signal.removeEventListener('abort', end);
        this.#wake = null;
        resolve();
      };
      const timer = clock.schedule(withinMs, end);
      signal.addEventListener('abort', end, { once: true });
      this.#wake = end;
    });
  }

  take(): { cleared: string[]; rows: ConsoleRow[] } {
    const cleared = [...this.#cleared];
    this.#cleared = new Set();
    const taken = [...this.#rows].slice(0, rowsAtOnce);
    for (const [record] of taken) this.#rows.delete(record);
    return { cleared, rows: taken.map(([record, source]) => source.rowOf(record)) };
  }
}

/**
 * A feed of server-sent events: all requests in the journals, then every change. `cleared` names tenants; `rows` has rows
 * that are new or replace the row with the same number. A slow reader receives only the newest state of each request, so its
 * memory stays bounded.
 */
export function openFeed(tenants: Tenants, realClock: Clock): ReadableStream<Uint8Array> {
  const untold = new Untold();
  const gone = new AbortController();
  const stop = tenants.feed.listen({
    changed: (source, record) => untold.change(source, record),
    dropped: (record) => untold.drop(record),
    cleared: (tenant) => untold.clear(tenant),
  });
  for (const { journal } of tenants.all())
    for (const record of journal.records) untold.change(journal, record);
  const bytes = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(bytes.encode('event: hello\ndata: {}\n\n')),
      pull: async (controller) => {
        await untold.next(realClock, quietMs, gone.signal);
        if (gone.signal.aborted) return;
        if (untold.isEmpty) return controller.enqueue(bytes.encode(': quiet\n\n'));
        await realClock.sleep(gatherMs);
        if (gone.signal.aborted) return;
        const { cleared, rows } = untold.take();
        const events = [
          ...(cleared.length > 0 ? [`event: cleared\ndata: ${JSON.stringify(cleared)}\n\n`] : []),
          ...(rows.length > 0 ? [`event: rows\ndata: ${JSON.stringify(rows)}\n\n`] : []),
        ];
        // A change may have been withdrawn meanwhile. A stream that was pulled must send something.
        controller.enqueue(bytes.encode(events.join('') || ': quiet\n\n'));
      },
      cancel: () => {
        stop();
        gone.abort();
      },
    },
    { highWaterMark: 1 },
  );
}
