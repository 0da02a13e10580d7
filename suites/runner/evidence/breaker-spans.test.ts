import { expect, it } from 'vitest';
import type { Outcome } from '../../oracle/breaker.ts';
import { breakerSpans } from './breaker-spans.ts';

const rules = {
  ...{ consecutiveFailures: 3, windowMs: 30_000, windowLeast: 10, windowFailurePercent: 50 },
  coolDownMs: [10_000, 20_000],
} as const;

const requestAt = (fromMs: number, outcome: Outcome, channel = 'alpha') => ({
  ...{ channel, fromMs, outcome },
  toMs: fromMs + 5,
});

it('shows from which outcome until when a channel must be left alone, and longer the next time', () => {
  const failures = [0, 10, 20, 10_030].map((at) => requestAt(at, 'failure'));
  expect(breakerSpans([...failures, requestAt(0, 'success', 'beta')], rules)).toEqual([
    { channel: 'alpha', from_ms: 25, to_ms: 10_025 },
    { channel: 'alpha', from_ms: 10_035, to_ms: 30_035 },
  ]);
});

it('starts again after a request that no breaker would have admitted', () => {
  const failures = [0, 10, 20, 30, 40].map((at) => requestAt(at, 'failure'));
  expect(breakerSpans(failures, rules)).toEqual([{ channel: 'alpha', from_ms: 25, to_ms: 10_025 }]);
});
