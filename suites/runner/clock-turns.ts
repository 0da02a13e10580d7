import { type CheckFacts, clockRank } from '../engine/check.ts';

/**
 * Has checks that move a clock wait until all that leave it have ended, as far as they have come up for their turn. Otherwise
 * the last of these and the first of those would get the clock in turn, and run one by one.
 */
export class ClockTurns {
  /** How many have come up, by how late in a run they go. */
  readonly #here = new Map<number, number>();
  readonly #waiting = new Set<() => void>();

  /** A waiter here must hold nothing that others need to end. */
  async take<T>(check: Pick<CheckFacts, 'clock'>, work: () => Promise<T>): Promise<T> {
    const rank = clockRank(check);
    this.#count(rank, 1);
    try {
      while (this.#isBefore(rank)) await new Promise<void>((resolve) => this.#waiting.add(resolve));
      return await work();
    } finally {
      this.#count(rank, -1);
      const waiting = [...this.#waiting];
      this.#waiting.clear();
      for (const look of waiting) look();
    }
  }

  #isBefore(rank: number): boolean {
    return [...this.#here].some(([other, count]) => other < rank && count > 0);
  }

  #count(rank: number, more: number): void {
    this.#here.set(rank, (this.#here.get(rank) ?? 0) + more);
  }
}
