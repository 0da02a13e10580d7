/** Maximum of outcomes kept. When the window holds more, the latest stand for all of them. */
const maxKept = 1000;

interface Outcome {
  readonly atMs: number;
  readonly isFailure: boolean;
}

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

  add(isFailure: boolean, nowMs: number): void {
    this.#outcomes.push({ atMs: nowMs, isFailure });
    if (isFailure) this.#failures += 1;
    this.#forget(nowMs);
  }

  /** Percentage of failures; null when there were fewer than `min` outcomes. */
  failurePercent(min: number, nowMs: number): number | null {
    this.#forget(nowMs);
    const count = this.#outcomes.length - this.#start;
    return count === 0 || count < min ? null : (100 * this.#failures) / count;
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
