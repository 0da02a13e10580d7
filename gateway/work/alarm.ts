import type { Clock } from '../clock.ts';

/** A timer for the next due row: one timer for any number of rows. */
export class Alarm {
  readonly #clock: Pick<Clock, 'now' | 'schedule'>;
  readonly #ring: () => void;
  #next: { readonly atMs: number; cancel(): void } | null = null;
  /** The earliest time that was reported during the database query. */
  #reportedMs = Number.POSITIVE_INFINITY;

  constructor(clock: Pick<Clock, 'now' | 'schedule'>, ring: () => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /** Makes the alarm ring at this time at the latest. */
  by(ms: number): void {
    this.#reportedMs = Math.min(this.#reportedMs, ms);
    if (this.#next === null || ms < this.#next.atMs) this.#setTo(ms);
  }

  /**
   * Sets the alarm to exactly the time that `ask` returns, or earlier if an earlier time was reported meanwhile.
   */
  async exactly(ask: () => Promise<number | null>): Promise<void> {
    this.#reportedMs = Number.POSITIVE_INFINITY;
    const answer = (await ask()) ?? Number.POSITIVE_INFINITY;
    this.#setTo(Math.min(answer, this.#reportedMs));
  }

  cancel(): void {
    this.#next?.cancel();
    this.#next = null;
  }

  #setTo(ms: number): void {
    if (this.#next?.atMs === ms) return;
    this.cancel();
    if (ms === Number.POSITIVE_INFINITY) return;
    const { cancel } = this.#clock.schedule(Math.max(0, ms - this.#clock.now()), () => {
      this.#next = null;
      this.#ring();
    });
    this.#next = { atMs: ms, cancel };
  }
}
