/** Admits `perSecond` requests, up to `burst` of them at once. */
export class TokenBucket {
  readonly #perSecond: number;
  readonly #burst: number;
  #tokens: number;
  #atMs: number;

  constructor({ perSecond, burst }: { perSecond: number; burst: number }, nowMs: number) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#tokens = burst;
    this.#atMs = nowMs;
  }

  /** Takes a token for one request; false if none is left. */
  take(nowMs: number): boolean {
    // Tolerates rounding errors: a request exactly one second later must be admitted.
    if (this.left(nowMs) < 1 - 1e-9) return false;
    this.#tokens = Math.max(0, this.#tokens - 1);
    return true;
  }

  /** Spends tokens, even more than are left. */
  spend(count: number, nowMs: number): void {
    this.#tokens = this.left(nowMs) - count;
  }

  /** The tokens that are left; negative after overspending. */
  left(nowMs: number): number {
    const refilled = this.#tokens + ((nowMs - this.#atMs) * this.#perSecond) / 1000;
    this.#tokens = Math.min(this.#burst, refilled);
    this.#atMs = nowMs;
    return this.#tokens;
  }

  /** The time until the given number of tokens is left, whole ms. */
  msUntil(count: number, nowMs: number): number {
    const lacking = count - this.left(nowMs) - 1e-9;
    return Math.max(0, Math.ceil((lacking * 1000) / this.#perSecond));
  }
}
