import type { Patch } from '../kill-matrix/patch.ts';

/** A gateway that lacks one thing which callers need in an outage, and the drill that shows it. */
export interface BrokenGateway {
  readonly scenario: string;
  readonly patch: Patch;
  /** The thresholds of the scenario that fail, and none beside them. */
  readonly fails: readonly string[];
}

const attempts = { file: 'gateway/routing/attempt.ts', find: 'const maxAttempts = 2;' };

export const brokenGateways = {
  'no breaker': {
    scenario: 'b5-all-down',
    patch: {
      file: 'gateway/routing/breaker.ts',
      find: 'this.#openUntilMs = nowMs + forMs;',
      replace: 'if (forMs > 0) return;',
    },
    fails: ['attempts < 0.7', 'open < 20 s'],
  },
  'no retry': {
    scenario: 'b4-one-region-down',
    patch: { ...attempts, replace: 'const maxAttempts = 1;' },
    fails: ['availability >= 99.9 %', 'rescued >= 90 %'],
  },
  'endless retries': {
    scenario: 'b5-all-down',
    patch: { ...attempts, replace: 'const maxAttempts = 1_000_000;' },
    fails: ['most attempts <= 2'],
  },
  'no heed of slowness': {
    scenario: 'b3-slow-poison',
    patch: {
      file: 'gateway/routing/health.ts',
      find: "Math.log2(factor) * this.#waits[kind].weight.at(nowMs) >= slow ? 'slow' : 'well'",
      replace: "factor >= 0 ? 'well' : 'slow'",
    },
    fails: ['first chunk p75 < 400 ms'],
  },
  'no heed of Retry-After': {
    scenario: 'b7-correlated-429',
    patch: {
      file: 'gateway/routing/live-channel.ts',
      find: "if (reason === 'busy' && retryAfterMs !== null) {",
      replace: "if (reason === 'busy' && retryAfterMs === -1) {",
    },
    fails: ['open < 1 s'],
  },
  'no way back': {
    scenario: 'b4-one-region-down',
    patch: {
      file: 'gateway/routing/breaker.ts',
      find: "return this.#state === 'open' && nowMs >= this.#openUntilMs ? 'half-open' : this.#state;",
      replace: 'return nowMs >= 0 ? this.#state : this.#state;',
    },
    fails: ['probe < 90 s'],
  },
  'no events': {
    scenario: 'b4-one-region-down',
    patch: {
      file: 'gateway/webhooks/attempt.ts',
      find: "if (isRefused(event, outbound)) return { status: null, failure: 'blocked', askedMs: null };",
      replace: 'if (secrets.length >= 0) return { status: 200, failure: null, askedMs: null };',
    },
    fails: ['lost events = 0'],
  },
} as const satisfies Record<string, BrokenGateway>;

export type Lack = keyof typeof brokenGateways;
