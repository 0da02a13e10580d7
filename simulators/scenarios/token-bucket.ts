/** Lets `perSecond` requests through, up to `burst` of them at once. */
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

  /** Whether there is room for one more now; takes it. */
  take(nowMs: number): boolean {
    const refilled = this.#tokens + ((nowMs - this.#atMs) * this.#perSecond) / 1000;
    this.#tokens = Math.min(this.#burst, refilled);
    this.#atMs = nowMs;
    // Sums of fractions may lack a trifle: a request exactly a second later is on time.
    if (this.#tokens < 1 - 1e-9) return false;
    this.#tokens = Math.max(0, this.#tokens - 1);
    return true;
  }
}
