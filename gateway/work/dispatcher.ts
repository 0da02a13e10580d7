import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { Alarm } from './alarm.ts';
import { backoffMs } from './backoff.ts';
import type { Claimed, DueRows } from './due-rows.ts';
import type { InFlight } from './in-flight.ts';
import { KeptRows } from './kept-rows.ts';
import type { Shares } from './shares.ts';
import type { WorkDone } from './work-done.ts';

export interface DispatcherParts<Row extends Claimed> {
  /** The log's name for the rows. */
  readonly name: string;
  readonly rows: Pick<DueRows<Row>, 'dueShares' | 'nextAtMs' | 'claim' | 'releaseAllBut'>;
  readonly shares: Shares;
  /**
   * Does the work that is due and writes the result. Rejects if it must be done again; null if this process ends
   * first.
   */
  readonly run: (row: Row) => Promise<WorkDone<Row> | null>;
  readonly clock: Pick<Clock, 'now' | 'schedule'>;
  /** Real time, for retries after the gateway's own failures: they must not depend on a moved clock. */
  readonly timer: Pick<Clock, 'schedule' | 'sleep'>;
  readonly inFlight: InFlight;
  readonly log: Pick<Logger, 'warn'>;
}

/** Maximum rows per claim. Each claimed row is in memory as a whole. */
const maxClaimed = 200;
const retryMs = 1_000;

/** Claims due rows, as many as their shares have free capacity for, and runs the work on them. */
export class Dispatcher<Row extends Claimed> {
  readonly #parts: DispatcherParts<Row>;
  readonly #alarm: Alarm;
  readonly #stopped = new AbortController();
  /** Shares that may have due rows. The share that was served last is at the end. */
  readonly #waiting = new Set<string>();
  /** When to poll again for rows that had no free capacity. */
  #pollByMs = Number.POSITIVE_INFINITY;
  readonly #kept: KeptRows<Row>;
  /** The capacity that the claim in flight may use up. */
  #claiming: ReadonlyMap<string, number> = new Map();
  /** Rows that this process works on, keeps, or will release. No row is ever worked on twice at a time. */
  readonly #own = new Set<string>();
  /** Those of its rows that were, or may have been, claimed again: they were free without this process knowing. */
  readonly #claimedTwice = new Set<string>();
  /** Rows whose work failed, since the last release. */
  readonly #failed = new Set<string>();
  /** Whether this process may own rows that it does not know, as after a claim whose answer was lost. */
  #hasLostRows = false;
  /** Whether other shares may also have due rows. */
  #mustPoll = false;
  #isClaiming = false;
  #again: { cancel(): void } | null = null;
  /** Number of failures in a row that were the gateway's own fault, by row. */
  readonly #failures = new Map<string, number>();

  constructor(parts: DispatcherParts<Row>) {
    this.#parts = parts;
    this.#alarm = new Alarm(parts.clock, () => this.poll());
    this.#kept = new KeptRows(
      parts.clock,
      () => this.#goOn(),
      (kept) => this.#begin(kept.row, kept.write),
    );
  }

  /**
   * Reports that shares may have due rows. Rows without free capacity may belong to other shares from `byMs` on.
   */
  wake(shares: Iterable<string>, byMs = Number.POSITIVE_INFINITY): void {
    for (const share of shares) this.#waiting.add(share);
    this.#pollByMs = Math.min(this.#pollByMs, byMs);
    this.#goOn();
  }

  /** Reports that any share may have due rows. */
  poll(): void {
    this.#mustPoll = true;
    this.#goOn();
  }

  /** Reports that a row will be due at this time. A kept row is released, because its row has changed. */
  dueAt(ms: number, id: string | null = null): void {
    if (this.#stopped.signal.aborted) return;
    const kept = id === null ? null : this.#kept.take(id);
    if (kept !== null) this.#begin(kept.row, kept.write);
    if (ms <= this.#parts.clock.now()) this.poll();
    else this.#alarm.by(ms);
  }

  /** Stops claiming rows. */
  stop(): void {
    this.#stopped.abort();
    this.#alarm.cancel();
    this.#kept.clear();
    this.#again?.cancel();
  }

  #goOn(): void {
    this.#workOnKept();
    if (this.#isClaiming || this.#again !== null || this.#stopped.signal.aborted) return;
    if (this.#mustPoll || this.#parts.shares.freeSlots(this.#waiting).size > 0) {
      this.#isClaiming = true;
      this.#parts.inFlight.add(this.#claimAll(), 'full');
      return;
    }
    if (this.#waiting.size > 0 && this.#pollByMs < Number.POSITIVE_INFINITY) this.#alarm.by(this.#pollByMs);
    this.#pollByMs = Number.POSITIVE_INFINITY;
  }

  async #claimAll(): Promise<void> {
    const { signal } = this.#stopped;
    try {
      let polledMs: number | null = null;
      while (!signal.aborted) {
        if (this.#mustPoll) polledMs = await this.#pollShares();
        const freeSlots = firstOf(this.#parts.shares.freeSlots(this.#waiting));
        if (freeSlots.size > 0) await this.#claim(freeSlots);
        else if (polledMs !== null) {
          // Rows that fell due since the poll count as due after it, so no row falls between two polls.
          const afterMs = polledMs;
          polledMs = null;
          await this.#alarm.exactly(() => this.#parts.rows.nextAtMs(afterMs));
        } else if (!this.#mustPoll) break;
      }
    } catch (error) {
      if (!signal.aborted) this.#claimLater(error);
    }
    if (signal.aborted) this.#alarm.cancel();
    this.#isClaiming = false;
    this.#goOn();
  }

  /** Asks the database which shares have due rows; returns as of when. */
  async #pollShares(): Promise<number> {
    this.#mustPoll = false;
    await this.#releaseLost();
    const nowMs = this.#parts.clock.now();
    for (const share of await this.#parts.rows.dueShares(nowMs)) this.#waiting.add(share);
    return nowMs;
  }

  async #claim(freeSlots: ReadonlyMap<string, number>): Promise<void> {
    const { rows, run, clock } = this.#parts;
    // A wake-up from here on may concern rows that this claim misses, so record it.
    for (const share of freeSlots.keys()) this.#waiting.delete(share);
    this.#claiming = freeSlots;
    const claimed = await this.#answerTo(rows.claim(freeSlots, clock.now()));
    for (const row of claimed) {
      if (this.#own.has(row.id)) this.#claimedTwice.add(row.id);
      else this.#begin(row, () => run(row));
    }
    for (const [share, room] of freeSlots)
      if (claimed.filter((row) => row.share === share).length >= room) this.#waiting.add(share);
  }

  /** Claims rows. A claim that fails may still have reached the database. */
  async #answerTo(claim: Promise<Row[]>): Promise<Row[]> {
    try {
      return await claim;
    } catch (error) {
      this.#hasLostRows = true;
      // Includes rows being worked on here: they may have been released just before this claim.
      for (const id of this.#own) this.#claimedTwice.add(id);
      throw error;
    } finally {
      this.#claiming = new Map();
    }
  }

  /** Called while no claim is in flight: a row that this process does not know has no worker. */
  async #releaseLost(): Promise<void> {
    if (!this.#hasLostRows) return;
    this.#hasLostRows = false;
    try {
      const released = await this.#parts.rows.releaseAllBut([...this.#own]);
      for (const id of this.#failed) if (!released.includes(id)) this.#failures.delete(id);
      this.#failed.clear();
    } catch (error) {
      this.#hasLostRows = true;
      throw error;
    }
  }

  /** Called when this process is done with a row. */
  #letGo(id: string): void {
    this.#own.delete(id);
    if (!this.#claimedTwice.delete(id)) return;
    this.#hasLostRows = true;
    this.#mustPoll = true;
  }

  #claimLater(error: unknown): void {
    const { name, timer, log } = this.#parts;
    log.warn({ err: error }, `${name} are claimed later`);
    this.#mustPoll = true;
    this.#again = timer.schedule(retryMs, () => {
      this.#again = null;
      this.#goOn();
    });
  }

  /** Works on kept rows that are due, as far as there is free capacity. */
  #workOnKept(): void {
    const { shares, run } = this.#parts;
    const claiming = this.#claiming;
    const hasRoom = (share: string): boolean => {
      const others = [...claiming.keys()].filter((one) => one !== share);
      return (shares.freeSlots([...others, share]).get(share) ?? 0) > (claiming.get(share) ?? 0);
    };
    for (let row = this.#kept.firstDue(hasRoom); row !== null; row = this.#kept.firstDue(hasRoom)) {
      const due = row;
      this.#kept.take(due.id);
      this.#begin(due, () => run(due));
    }
  }

  #begin(row: Row, work: () => Promise<WorkDone<Row> | null>): void {
    const { inFlight, shares } = this.#parts;
    this.#own.add(row.id);
    inFlight.add(this.#work(row, work), shares.isSlow(row.share) ? 'short' : 'full');
  }

  async #work(row: Row, work: () => Promise<WorkDone<Row> | null>): Promise<void> {
    const over = this.#parts.shares.begin(row.share);
    try {
      const done = await work();
      this.#failures.delete(row.id);
      over(done?.wasSlow ?? null);
      if (done?.kept !== undefined && !this.#stopped.signal.aborted) this.#kept.add(done.kept);
      else {
        if (done?.isOutOfDate === true) this.#claimedTwice.add(row.id);
        this.#letGo(row.id);
        if (done !== null && done.nextAtMs !== null) this.dueAt(done.nextAtMs);
      }
    } catch (error) {
      over(null);
      this.#putBack(row, error).catch(() => {});
    }
    this.#goOn();
  }

  /** Releases a row after a failure, unless it is claimed again. Its state in the database is read again. */
  async #putBack({ id }: Row, error: unknown): Promise<void> {
    const { name, timer, log } = this.#parts;
    const { signal } = this.#stopped;
    const nth = this.#failures.get(id) ?? 0;
    this.#failures.set(id, nth + 1);
    if (!signal.aborted) log.warn({ err: error, id }, `one of the ${name} is claimed again`);
    await timer.sleep(backoffMs(nth), signal);
    this.#letGo(id);
    this.#failed.add(id);
    this.#hasLostRows = true;
    this.poll();
  }
}

/** The capacities of the first shares, up to the maximum of rows in total. */
function firstOf(freeSlots: ReadonlyMap<string, number>): Map<string, number> {
  const first = new Map<string, number>();
  let left = maxClaimed;
  for (const [share, room] of freeSlots) {
    if (left <= 0) break;
    first.set(share, Math.min(room, left));
    left -= room;
  }
  return first;
}
