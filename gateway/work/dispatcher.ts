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

/** Claims rows when they are due, as many at once as their shares have room for, and has the work done. */
export interface Dispatcher {
  /** Shares may have rows that are due. Where there is no room for them, they may belong to others from `byMs` on. */
  wake(shares: Iterable<string>, byMs?: number): void;
  /** Any share may have. */
  look(): void;
  /** A row is due then. */
  dueAt(ms: number): void;
  /** Claims nothing from now on. */
  stop(): void;
}

/** Rows that are claimed at once: all of each is in memory from then on. */
const MAX_CLAIMED = 200;
const AGAIN_MS = 1_000;

export function createDispatcher<Row extends Claimed>(parts: DispatcherParts<Row>): Dispatcher {
  const { name, rows, shares, clock, timer, inFlight, log } = parts;
  /** Who may have rows that are due, the one that was served last at the end. */
  const waiting = new Set<string>();
  /** How often in a row the work on a row failed through us. */
  const failures = new Map<string, number>();
  const stopped = new AbortController();
  /** Whether others may have rows that are due, too. */
  let isBlind = false;
  /** When to look again for rows that there is no room for. */
  let lookByMs = Number.POSITIVE_INFINITY;
  let isClaiming = false;
  let again: { cancel(): void } | null = null;

  const look = (): void => {
    isBlind = true;
    goOn();
  };
  const alarm = new Alarm(clock, look);
  const goOn = (): void => {
    if (isClaiming || again !== null || stopped.signal.aborted) return;
    if (isBlind || shares.rooms(waiting).size > 0) {
      isClaiming = true;
      inFlight.add(claimAll(), 'full');
      return;
    }
    if (waiting.size > 0 && lookByMs < Number.POSITIVE_INFINITY) alarm.by(lookByMs);
    lookByMs = Number.POSITIVE_INFINITY;
  };
  const claimAll = async (): Promise<void> => {
    try {
      let lookedMs: number | null = null;
      while (!stopped.signal.aborted) {
        if (isBlind) {
          isBlind = false;
          lookedMs = clock.now();
          for (const share of await rows.dueShares(lookedMs)) waiting.add(share);
        }
        const rooms = firstOf(shares.rooms(waiting));
        if (rooms.size > 0) await claim(rooms);
        else if (lookedMs !== null) {
          // What has become due since then is due after it: nothing is between two looks.
          const afterMs = lookedMs;
          lookedMs = null;
          await alarm.exactly(() => rows.nextAtMs(afterMs));
        } else if (!isBlind) break;
      }
    } catch (error) {
      isBlind = true;
      if (!stopped.signal.aborted) claimLater(error);
    }
    if (stopped.signal.aborted) alarm.cancel();
    isClaiming = false;
    goOn();
  };
  const claim = async (rooms: ReadonlyMap<string, number>): Promise<void> => {
    // Whoever wakes us from here on may mean rows that are not claimed this time.
    for (const share of rooms.keys()) waiting.delete(share);
    const claimed = await rows.claim(rooms, clock.now());
    for (const row of claimed) inFlight.add(work(row), shares.isSlow(row.share) ? 'short' : 'full');
    for (const [share, room] of rooms)
      if (claimed.filter((row) => row.share === share).length >= room) waiting.add(share);
  };
  const claimLater = (error: unknown): void => {
    log.warn({ err: error }, `${name} are claimed later`);
    again = timer.schedule(AGAIN_MS, () => {
      again = null;
      goOn();
    });
  };
  const work = async (row: Row): Promise<void> => {
    const over = shares.begin(row.share);
    try {
      const done = await parts.run(row);
      failures.delete(row.id);
      over(done?.wasSlow ?? null);
      if (done !== null && done.nextAtMs !== null) dueAt(done.nextAtMs);
    } catch (error) {
      over(null);
      putBack(row, error).catch(() => {});
    }
    goOn();
  };
  /** What it was like before is in the database: it is read again. */
  const putBack = async ({ id }: Row, error: unknown): Promise<void> => {
    const nth = failures.get(id) ?? 0;
    failures.set(id, nth + 1);
    if (!stopped.signal.aborted) log.warn({ err: error, id }, `one of the ${name} is claimed again`);
    await timer.sleep(backoffMs(nth), stopped.signal);
    const isOurs = await untilDone(timer, stopped.signal, () => rows.giveBack(id));
    if (isOurs?.result === false) failures.delete(id);
    look();
  };
  const dueAt = (ms: number): void => {
    if (stopped.signal.aborted) return;
    if (ms <= clock.now()) look();
    else alarm.by(ms);
  };
  return {
    wake: (some, byMs = Number.POSITIVE_INFINITY) => {
      for (const share of some) waiting.add(share);
      lookByMs = Math.min(lookByMs, byMs);
      goOn();
    },
    look,
    dueAt,
    stop: () => {
      stopped.abort();
      alarm.cancel();
      again?.cancel();
    },
  };
}

/** The rooms of the first shares, with not too many rows in all. */
function firstOf(rooms: ReadonlyMap<string, number>): Map<string, number> {
  const first = new Map<string, number>();
  let left = MAX_CLAIMED;
  for (const [share, room] of rooms) {
    if (left <= 0) break;
    first.set(share, Math.min(room, left));
    left -= room;
  }
  return first;
}
