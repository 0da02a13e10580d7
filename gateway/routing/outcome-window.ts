import { aloneAmong, isOf, type Witness } from './witness.ts';

/** Maximum of outcomes kept. When the window holds more, the latest stand for all of them. */
const maxKept = 1000;

/** Precision of the ages of shared successes, in parts per window. */
const toldParts = 200;

interface Outcome {
  readonly atMs: number;
  readonly isFailure: boolean;
  /** Whose call it was; empty where that does not matter. */
  readonly by: Witness;
  /** Others know of it. */
  isReported: boolean;
}

/** Pairs of an age in ms and a number of successes. */
export type PastSuccesses = readonly (readonly [agoMs: number, count: number])[];

/** The outcomes of a recent time window. An outcome exactly as old as the window lies outside it. */
export class OutcomeWindow {
  readonly #windowMs: number;
  /** Ordered by time; entries before `#start` no longer count. */
  #outcomes: Outcome[] = [];
  #start = 0;
  #failures = 0;

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  add(isFailure: boolean, nowMs: number, isReported = isFailure, by = ''): void {
    this.#outcomes.push({ atMs: nowMs, isFailure, isReported, by });
    if (isFailure) this.#failures += 1;
    this.#forget(nowMs);
  }

  /** Adds successes that became known late. */
  addPast(successes: PastSuccesses, nowMs: number): void {
    for (const [agoMs, count] of successes) {
      const past = { atMs: nowMs - agoMs, isFailure: false, isReported: true, by: '' };
      const later = this.#outcomes.findIndex(({ atMs }, place) => place >= this.#start && atMs > past.atMs);
      const at = later < 0 ? this.#outcomes.length : later;
      this.#outcomes.splice(at, 0, ...Array.from({ length: Math.min(count, maxKept) }, () => ({ ...past })));
    }
    this.#forget(nowMs);
  }

  /** Returns the successes that other processes do not know, and marks them as reported. */
  takeUnreported(nowMs: number): PastSuccesses {
    this.#forget(nowMs);
    const partMs = this.#windowMs / toldParts;
    const counts = new Map<number, number>();
    for (const outcome of this.#outcomes.slice(this.#start)) {
      if (outcome.isReported) continue;
      outcome.isReported = true;
      const agoMs = Math.floor((nowMs - outcome.atMs) / partMs) * partMs;
      counts.set(agoMs, (counts.get(agoMs) ?? 0) + 1);
    }
    return [...counts];
  }

  /** Percentage of failures; null when there were fewer than `min` outcomes. */
  failurePercent(min: number, nowMs: number): number | null {
    this.#forget(nowMs);
    const count = this.#outcomes.length - this.#start;
    return count === 0 || count < min ? null : (100 * this.#failures) / count;
  }

  /**
   * Who is to blame alone for the failures; null if at least `least` calls, and `percent` of all, failed without the worst one.
   */
  alone({ percent, least }: { readonly percent: number; readonly least: number }): Witness | null {
    const outcomes = this.#outcomes.slice(this.#start);
    const failures = new Map<Witness, number>();
    for (const { by, isFailure } of outcomes) if (isFailure) failures.set(by, (failures.get(by) ?? 0) + 1);
    const successes = outcomes.length - this.#failures;
    return aloneAmong(failures, (all, ofWorst) => {
      const others = all - ofWorst;
      return others >= least && 100 * others >= percent * (others + successes);
    });
  }

  /** Forgets the failures of a user, or of all users of an account. */
  forget(witness: Witness): void {
    this.#outcomes = this.#outcomes
      .slice(this.#start)
      .filter(({ isFailure, by }) => !isFailure || !isOf(by, witness));
    this.#start = 0;
    this.#failures = this.#outcomes.filter(({ isFailure }) => isFailure).length;
  }

  clear(): void {
    this.#outcomes = [];
    this.#start = 0;
    this.#failures = 0;
  }

  #forget(nowMs: number): void {
    for (let oldest = this.#outcomes[this.#start]; oldest !== undefined; ) {
      const isOld = nowMs - oldest.atMs >= this.#windowMs;
      if (!isOld && this.#outcomes.length - this.#start <= maxKept) break;
      if (oldest.isFailure) this.#failures -= 1;
      this.#start += 1;
      oldest = this.#outcomes[this.#start];
    }
    if (this.#start < maxKept) return;
    this.#outcomes = this.#outcomes.slice(this.#start);
    this.#start = 0;
  }
}
