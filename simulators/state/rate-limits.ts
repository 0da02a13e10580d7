import type { RateWindow, RateWindows } from '../answers/rate-windows.ts';
import type { ScriptedLimits } from '../control/protocol.ts';
import { TokenBucket } from '../scenarios/token-bucket.ts';

/** More keys than any run has. A client that invents them must not fill the process. */
const maxCounters = 10_000;

/** The exhausted limit, and the time to wait, whole ms. */
export interface Exhausted {
  readonly what: 'requests' | 'tokens';
  readonly retryMs: number;
}

/** The limits of a tenant. Each channel and key has counters of its own. */
export class RateLimits {
  readonly #counters = new Map<string, LimitCounter>();

  counterOf(limits: ScriptedLimits, holder: readonly string[], nowMs: number): LimitCounter {
    const name = JSON.stringify([limits, holder]);
    const known = this.#counters.get(name);
    if (known !== undefined) return known;
    const [oldest] = this.#counters.keys();
    if (oldest !== undefined && this.#counters.size >= maxCounters) this.#counters.delete(oldest);
    const counter = new LimitCounter(limits, nowMs);
    this.#counters.set(name, counter);
    return counter;
  }

  clear(): void {
    this.#counters.clear();
  }
}

/** The request and token counters of one key. Both refill continuously, up to one minute's limit. */
export class LimitCounter {
  readonly #limits: ScriptedLimits;
  readonly #requests: TokenBucket | null;
  readonly #tokens: TokenBucket | null;

  constructor(limits: ScriptedLimits, nowMs: number) {
    this.#limits = limits;
    this.#requests = bucketOf(limits.requests_per_minute, nowMs);
    this.#tokens = bucketOf(limits.tokens_per_minute, nowMs);
  }

  /**
   * Takes one request; null if it is admitted. At least one token must be left, because tokens are spent only after the
   * answer.
   */
  take(nowMs: number): Exhausted | null {
    if (this.#tokens !== null && this.#tokens.msUntil(1, nowMs) > 0)
      return { what: 'tokens', retryMs: this.#tokens.msUntil(1, nowMs) };
    if (this.#requests === null || this.#requests.take(nowMs)) return null;
    return { what: 'requests', retryMs: this.#requests.msUntil(1, nowMs) };
  }

  get countsTokens(): boolean {
    return this.#tokens !== null;
  }

  spendTokens(count: number, nowMs: number): void {
    this.#tokens?.spend(count, nowMs);
  }

  windows(nowMs: number): RateWindows {
    const { requests_per_minute: requests = 0, tokens_per_minute: tokens = 0 } = this.#limits;
    return {
      ...(this.#requests === null ? {} : { requests: windowOf(this.#requests, requests, nowMs) }),
      ...(this.#tokens === null ? {} : { tokens: windowOf(this.#tokens, tokens, nowMs) }),
    };
  }
}

function bucketOf(perMinute: number | undefined, nowMs: number): TokenBucket | null {
  return perMinute === undefined
    ? null
    : new TokenBucket({ perSecond: perMinute / 60, burst: perMinute }, nowMs);
}

function windowOf(bucket: TokenBucket, limit: number, nowMs: number): RateWindow {
  const resetMs = bucket.msUntil(limit, nowMs);
  return { limit, remaining: Math.max(0, Math.floor(bucket.left(nowMs) + 1e-9)), resetMs };
}
