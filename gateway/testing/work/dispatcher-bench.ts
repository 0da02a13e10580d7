import { TestClock } from '../../clock.ts';
import { Dispatcher } from '../../work/dispatcher.ts';
import type { Claimed, DueRows } from '../../work/due-rows.ts';
import { InFlight } from '../../work/in-flight.ts';
import { dividedShares } from '../../work/shares.ts';
import type { WorkDone } from '../../work/work-done.ts';
import { silentLog } from '../store/test-stores.ts';

// For tests only.

type Work = PromiseWithResolvers<WorkDone<Claimed> | null>;

/** A row in the table of work. */
interface Row {
  readonly row: Claimed;
  atMs: number;
  isHeld: boolean;
}

const shares = ['a', 'b', ...Array.from({ length: 20 }, (_, n) => `r${n}`)];

/** Lets all pending promises settle. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A dispatcher over rows in memory; the test decides when its work ends. */
export class DispatcherBench {
  readonly clock = new TestClock();
  readonly timer = new TestClock();
  /** The table. */
  kept: Row[] = [];
  polls = 0;
  isBroken = false;
  /** Claims reach the database, but their answers are lost. */
  isAnswerLost = false;
  /** Work in progress by row id, with a way to end it. */
  readonly ends = new Map<string, Work>();
  beforeClaiming: () => unknown = () => {};
  readonly dispatcher: Dispatcher<Claimed>;

  constructor() {
    this.dispatcher = new Dispatcher({
      name: 'rows',
      rows: this.#rows(),
      shares: dividedShares(0, Object.fromEntries(shares.map((share) => [share, 2]))),
      run: (row) => {
        const end: Work = Promise.withResolvers();
        this.ends.set(row.id, end);
        return end.promise;
      },
      clock: this.clock,
      timer: this.timer,
      inFlight: new InFlight(),
      log: silentLog,
    });
  }

  /** Adds a row to the table. */
  keep(id: string, share: string, atMs = 0): void {
    this.kept.push({ row: { id, share, holder: 'gw', fence: 1 }, atMs, isHeld: false });
  }

  /** The ids of the rows that are being worked on. */
  begun(): string[] {
    return [...this.ends.keys()];
  }

  async end(id: string, done: WorkDone<Claimed> | null = { wasSlow: false, nextAtMs: null }): Promise<void> {
    this.#endOf(id)?.resolve(done);
    await settled();
  }

  async fail(id: string): Promise<void> {
    this.#endOf(id)?.reject(new Error('no database'));
    await settled();
  }

  #endOf(id: string): Work | undefined {
    const end = this.ends.get(id);
    this.ends.delete(id);
    return end;
  }

  #due(nowMs: number): Row[] {
    return this.kept.filter((one) => !one.isHeld && one.atMs <= nowMs);
  }

  #mustWork(): void {
    if (this.isBroken) throw new Error('no database');
  }

  #rows(): Pick<DueRows<Claimed>, 'dueShares' | 'nextAtMs' | 'claim' | 'releaseAllBut'> {
    return {
      dueShares: async (nowMs) => {
        this.polls += 1;
        this.#mustWork();
        return [...new Set(this.#due(nowMs).map(({ row }) => row.share))];
      },
      nextAtMs: async (nowMs) => {
        const later = this.kept.filter((one) => !one.isHeld && one.atMs > nowMs).map((one) => one.atMs);
        return later.length === 0 ? null : Math.min(...later);
      },
      claim: async (freeSlots, nowMs) => {
        this.#mustWork();
        const claimed = [...freeSlots].flatMap(([share, room]) =>
          this.#due(nowMs)
            .filter(({ row }) => row.share === share)
            .slice(0, room),
        );
        for (const one of claimed) one.isHeld = true;
        await Promise.resolve();
        await this.beforeClaiming();
        if (this.isAnswerLost) throw new Error('the connection broke');
        return claimed.map(({ row }) => row);
      },
      releaseAllBut: async (ids) => {
        this.#mustWork();
        const lost = this.kept.filter((one) => one.isHeld && !ids.includes(one.row.id));
        for (const one of lost) one.isHeld = false;
        return lost.map(({ row }) => row.id);
      },
    };
  }
}
