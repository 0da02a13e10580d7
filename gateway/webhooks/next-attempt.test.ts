import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WEBHOOK_DEFAULTS } from '../testing/started-webhooks.ts';
import { afterAttempt } from './next-attempt.ts';
import type { Sent } from './send-event.ts';

const NOW = 1_800_000_000_123;
const FAILED: Sent = { status: 500, failure: 'status', askedMs: null };
const SCHEDULE = WEBHOOK_DEFAULTS;
const MADE = fc.integer({ min: 1, max: SCHEDULE.schedule_ms.length - 1 });
const DRAW = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const waits = (made: number, draw: number, sent = FAILED, nowMs = NOW): number => {
  const { state, nextAtMs } = afterAttempt(sent, made, SCHEDULE, nowMs, draw);
  expect(state).toBe('pending');
  return (nextAtMs ?? 0) - nowMs;
};

describe('an event after an attempt', () => {
  it('is over when it was taken, when nobody wants it, and after the last attempt', () => {
    const last = SCHEDULE.schedule_ms.length;
    const over = (sent: Partial<Sent>, made: number) =>
      afterAttempt({ ...FAILED, ...sent }, made, SCHEDULE, NOW, 0.5);
    expect(over({ failure: null }, 1)).toEqual({ state: 'delivered', nextAtMs: null });
    expect(over({ failure: 'gone' }, 1)).toEqual({ state: 'stopped', nextAtMs: null });
    expect(over({}, last)).toEqual({ state: 'given_up', nextAtMs: null });
    expect(over({}, last - 1)).toMatchObject({ state: 'pending' });
  });

  it('waits as the schedule says, a tenth more or less', () => {
    fc.assert(
      fc.property(MADE, DRAW, fc.integer({ min: 0, max: 10 ** 9 }), (made, draw, later) => {
        const wait = SCHEDULE.schedule_ms[made] ?? 0;
        const waited = waits(made, draw, FAILED, NOW + later);
        expect(waited).toBeGreaterThanOrEqual(0.9 * wait);
        expect(waited).toBeLessThanOrEqual(1.1 * wait);
        expect(Number.isInteger(waited)).toBe(true);
      }),
    );
  });

  it('is due at one of few points of time, whatever the draw and the end of the attempt', () => {
    const draws = Array.from({ length: 200 }, (_, n) => n / 200);
    const due = draws.map((draw, n) => NOW + n + waits(2, draw, FAILED, NOW + n));
    const points = new Set(due);
    expect(points.size).toBeGreaterThan(2);
    expect(points.size).toBeLessThan(7);
    expect(Math.max(...due) - Math.min(...due)).toBeGreaterThan(0.1 * (SCHEDULE.schedule_ms[2] ?? 0));
  });

  it('waits exactly as long as the schedule says where chance has no part', () => {
    const exact = { ...SCHEDULE, jitter_percent: 0 };
    expect(afterAttempt(FAILED, 1, exact, NOW, 0.9).nextAtMs).toBe(NOW + 5_000);
    expect(afterAttempt(FAILED, 1, { ...SCHEDULE, schedule_ms: [0, 3] }, NOW, 0.9).nextAtMs).toBe(NOW + 3);
  });

  it('waits longer where it is asked to, within reason, and never less', () => {
    expect(waits(1, 0.5, { ...FAILED, askedMs: 60_000 })).toBe(60_000);
    expect(waits(1, 0.5, { ...FAILED, askedMs: 10 ** 12 })).toBe(SCHEDULE.retry_after_most_ms);
    expect(waits(5, 0.5, { ...FAILED, askedMs: 1_000 })).toBe(waits(5, 0.5));
  });
});
