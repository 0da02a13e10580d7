/** Maximum of outcomes kept. When the window holds more, the latest stand for all of them. */
const maxKept = 1000;

/** Precision of the ages of shared successes, in parts per window. */
const toldParts = 200;

interface Outcome {
  readonly atMs: number;
  readonly isFailure: boolean;
  /** Whose call it was; empty where that does not matter. */
  readonly by: string;
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

  /** The caller with most failures. */
  worstCaller(): string {
    const counts = new Map<string, number>();
    for (const { by, isFailure } of this.#outcomes.slice(this.#start))
      if (isFailure) counts.set(by, (counts.get(by) ?? 0) + 1);
    return [...counts].reduce((worst, one) => (one[1] > worst[1] ? one : worst), ['', 0])[0];
  }

  /** Whether at least so many calls, and such a share of all, failed without those of one caller that failed. */
  failWithout(by: string, { percent, least }: { readonly percent: number; readonly least: number }): boolean {
    const others = this.#outcomes.slice(this.#start).filter((one) => !one.isFailure || one.by !== by);
    const failures = others.filter(({ isFailure }) => isFailure).length;
    return failures >= least && 100 * failures >= percent * others.length;
  }

  /** Forgets the failures of one caller. */
  forget(by: string): void {
    this.#outcomes = this.#outcomes.slice(this.#start).filter((one) => !one.isFailure || one.by !== by);
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
