import type { Clock } from '../clock.ts';
import type { Claimed } from './due-rows.ts';
import type { Kept } from './work-done.ts';

interface Waiting<Row extends Claimed> extends Kept<Row> {
  timer: { cancel(): void };
}

/**
 * Rows that stay claimed between two runs of their work. The database does not know when they are due: if this process ends,
 * their work runs early.
 */
export class KeptRows<Row extends Claimed> {
  readonly #clock: Pick<Clock, 'now' | 'schedule'>;
  readonly #onDue: () => void;
  readonly #onLate: (kept: Kept<Row>) => void;
  readonly #all = new Map<string, Waiting<Row>>();
  /** The ids of the due rows, the longest waiting first. */
  readonly #due = new Set<string>();

  /** `onLate` gets rows that found no free capacity in time. */
  constructor(clock: Pick<Clock, 'now' | 'schedule'>, onDue: () => void, onLate: (kept: Kept<Row>) => void) {
    this.#clock = clock;
    this.#onDue = onDue;
    this.#onLate = onLate;
  }

  add(kept: Kept<Row>): void {
    const { id } = kept.row;
    const at = (ms: number, act: () => void) =>
      this.#clock.schedule(Math.max(0, ms - this.#clock.now()), act);
    const late = (): void => {
      if (this.take(id) !== null) this.#onLate(kept);
    };
    const due = (): void => {
      waiting.timer = at(kept.untilMs, late);
      this.#due.add(id);
      this.#onDue();
    };
    const waiting = { ...kept, timer: at(kept.atMs, due) };
    this.#all.set(id, waiting);
  }

  /** Removes a row; null if it is not kept. */
  take(id: string): Kept<Row> | null {
    const waiting = this.#all.get(id) ?? null;
    waiting?.timer.cancel();
    this.#all.delete(id);
    this.#due.delete(id);
    return waiting;
  }

  /** The longest waiting row that is due, of a share that has room. */
  firstDue(hasRoom: (share: string) => boolean): Row | null {
    const full = new Set<string>();
    for (const id of this.#due) {
      const row = this.#all.get(id)?.row;
      if (row === undefined || full.has(row.share)) continue;
      if (hasRoom(row.share)) return row;
      full.add(row.share);
    }
    return null;
  }

  clear(): void {
    for (const id of [...this.#all.keys()]) this.take(id);
  }
}
