import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { Alarm } from './alarm.ts';
import { backoffMs, untilDone } from './backoff.ts';
import type { Claimed, DueRows } from './due-rows.ts';
import type { InFlight } from './in-flight.ts';
import type { Shares } from './shares.ts';

export interface DispatcherParts<Row extends Claimed> {
  /** What the rows are, as the log calls them. */
  readonly name: string;
  readonly rows: Pick<DueRows<Row>, 'dueShares' | 'nextAtMs' | 'claim' | 'giveBack'>;
  readonly shares: Shares;
  /** Does what is due and writes what came of it. Rejects when that is to be done again; null when this process ends first. */
  readonly run: (row: Row) => Promise<WorkDone | null>;
  readonly clock: Pick<Clock, 'now' | 'schedule'>;
  /** Real time: for what failed through us, wherever the clock is moved to. */
  readonly timer: Pick<Clock, 'schedule' | 'sleep'>;
  readonly inFlight: InFlight;
  readonly log: Pick<Logger, 'warn'>;
}

/** What came of a claimed row, once that is written. */
export interface WorkDone {
  /** When it is due next; null when it is not. */
  readonly nextAtMs: number | null;
  /** Whether it was slow, for its share; null when nobody can tell. */
  readonly wasSlow: boolean | null;
}

/** Rows that are claimed at once: all of each is in memory from then on. */
const maxClaimed = 200;
const retryMs = 1_000;

/** Claims rows when they are due, as many at once as their shares have room for, and has the work done. */
export class Dispatcher<Row extends Claimed> {
  readonly #parts: DispatcherParts<Row>;
  readonly #alarm: Alarm;
  readonly #stopped = new AbortController();
  /** Shares that may have rows that are due, the one that was served last at the end. */
  readonly #waiting = new Set<string>();
  /** When to poll again for rows that there is no room for. */
  #pollByMs = Number.POSITIVE_INFINITY;
  /** Whether other shares may have rows that are due, too. */
  #mustPoll = false;
  #isClaiming = false;
  #again: { cancel(): void } | null = null;
  /** How often in a row the work on a row failed through us. */
  readonly #failures = new Map<string, number>();

  constructor(parts: DispatcherParts<Row>) {
    this.#parts = parts;
    this.#alarm = new Alarm(parts.clock, () => this.poll());
  }

  /** Shares may have rows that are due. Where there is no room for them, they may belong to others from `byMs` on. */
  wake(shares: Iterable<string>, byMs = Number.POSITIVE_INFINITY): void {
    for (const share of shares) this.#waiting.add(share);
    this.#pollByMs = Math.min(this.#pollByMs, byMs);
    this.#goOn();
  }

  /** Any share may have. */
  poll(): void {
    this.#mustPoll = true;
    this.#goOn();
  }

  /** A row is due then. */
  dueAt(ms: number): void {
    if (this.#stopped.signal.aborted) return;
    if (ms <= this.#parts.clock.now()) this.poll();
    else this.#alarm.by(ms);
  }

  /** Claims nothing from now on. */
  stop(): void {
    this.#stopped.abort();
    this.#alarm.cancel();
    this.#again?.cancel();
  }

  #goOn(): void {
    if (this.#isClaiming || this.#again !== null || this.#stopped.signal.aborted) return;
    if (this.#mustPoll || this.#parts.shares.rooms(this.#waiting).size > 0) {
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
        const rooms = firstOf(this.#parts.shares.rooms(this.#waiting));
        if (rooms.size > 0) await this.#claim(rooms);
        else if (polledMs !== null) {
          // What has become due since then is due after it: no row is between two polls.
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

  /** Asks which shares have rows that are due; as of when. */
  async #pollShares(): Promise<number> {
    const nowMs = this.#parts.clock.now();
    this.#mustPoll = false;
    for (const share of await this.#parts.rows.dueShares(nowMs)) this.#waiting.add(share);
    return nowMs;
  }

  async #claim(rooms: ReadonlyMap<string, number>): Promise<void> {
    const { rows, shares, clock, inFlight } = this.#parts;
    // Whoever wakes us from here on may mean rows that are not claimed this time.
    for (const share of rooms.keys()) this.#waiting.delete(share);
    const claimed = await rows.claim(rooms, clock.now());
    for (const row of claimed) inFlight.add(this.#work(row), shares.isSlow(row.share) ? 'short' : 'full');
    for (const [share, room] of rooms)
      if (claimed.filter((row) => row.share === share).length >= room) this.#waiting.add(share);
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

  async #work(row: Row): Promise<void> {
    const over = this.#parts.shares.begin(row.share);
    try {
      const done = await this.#parts.run(row);
      this.#failures.delete(row.id);
      over(done?.wasSlow ?? null);
      if (done !== null && done.nextAtMs !== null) this.dueAt(done.nextAtMs);
    } catch (error) {
      over(null);
      this.#putBack(row, error).catch(() => {});
    }
    this.#goOn();
  }

  /** What it was like before is in the database: it is read again. */
  async #putBack({ id }: Row, error: unknown): Promise<void> {
    const { name, rows, timer, log } = this.#parts;
    const { signal } = this.#stopped;
    const nth = this.#failures.get(id) ?? 0;
    this.#failures.set(id, nth + 1);
    if (!signal.aborted) log.warn({ err: error, id }, `one of the ${name} is claimed again`);
    await timer.sleep(backoffMs(nth), signal);
    const isOurs = await untilDone(timer, signal, () => rows.giveBack(id));
    if (isOurs?.result === false) this.#failures.delete(id);
    this.poll();
  }
}

/** The rooms of the first shares, with not too many rows in all. */
function firstOf(rooms: ReadonlyMap<string, number>): Map<string, number> {
  const first = new Map<string, number>();
  let left = maxClaimed;
  for (const [share, room] of rooms) {
    if (left <= 0) break;
    first.set(share, Math.min(room, left));
    left -= room;
  }
  return first;
}
