import { type CheckFacts, clockRank } from '../engine/check.ts';

/**
 * Makes checks that move a clock wait until all started checks that leave the clock have ended. Otherwise both kinds would
 * take turns with the clock at the change-over, and run one by one.
 */
export class ClockTurns {
  /** The number of started checks by rank; higher ranks go later in a run. */
  readonly #here = new Map<number, number>();
  readonly #waiting = new Set<() => void>();

  /** A waiting caller must not hold anything that others need in order to end. */
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
