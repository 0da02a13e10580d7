import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { webhookDefaults } from '../testing/started-webhooks.ts';
import { afterAttempt } from './next-attempt.ts';
import type { Sent } from './send-event.ts';

const now = 1_800_000_000_123;
const failed: Sent = { status: 500, failure: 'status', askedMs: null };
const schedule = webhookDefaults;
const anyAttempt = fc.integer({ min: 1, max: schedule.schedule_ms.length - 1 });
const anyDraw = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const waits = (made: number, draw: number, sent = failed, nowMs = now): number => {
  const { state, nextAtMs } = afterAttempt(sent, made, schedule, nowMs, draw);
  expect(state).toBe('pending');
  return (nextAtMs ?? 0) - nowMs;
};

describe('an event after an attempt', () => {
  it('ends on success, on rejection by the receiver, and after the last attempt', () => {
    const last = schedule.schedule_ms.length;
    const over = (sent: Partial<Sent>, made: number) =>
      afterAttempt({ ...failed, ...sent }, made, schedule, now, 0.5);
    expect(over({ failure: null }, 1)).toEqual({ state: 'delivered', nextAtMs: null });
    expect(over({ failure: 'gone' }, 1)).toEqual({ state: 'stopped', nextAtMs: null });
    expect(over({}, last)).toEqual({ state: 'given_up', nextAtMs: null });
    expect(over({}, last - 1)).toMatchObject({ state: 'pending' });
  });

  it('waits for the scheduled time, within 10 %', () => {
    fc.assert(
      fc.property(anyAttempt, anyDraw, fc.integer({ min: 0, max: 10 ** 9 }), (made, draw, later) => {
        const wait = schedule.schedule_ms[made] ?? 0;
        const waited = waits(made, draw, failed, now + later);
        expect(waited).toBeGreaterThanOrEqual(0.9 * wait);
        expect(waited).toBeLessThanOrEqual(1.1 * wait);
        expect(Number.isInteger(waited)).toBe(true);
      }),
    );
  });

  it('is due at one of a few points in time, whatever the draw and the end of the attempt', () => {
    const draws = Array.from({ length: 200 }, (_, n) => n / 200);
    const due = draws.map((draw, n) => now + n + waits(2, draw, failed, now + n));
    const points = new Set(due);
    expect(points.size).toBeGreaterThan(2);
    expect(points.size).toBeLessThan(7);
    expect(Math.max(...due) - Math.min(...due)).toBeGreaterThan(0.1 * (schedule.schedule_ms[2] ?? 0));
  });

  it('waits exactly for the scheduled time without jitter', () => {
    const exact = { ...schedule, jitter_percent: 0 };
    expect(afterAttempt(failed, 1, exact, now, 0.9).nextAtMs).toBe(now + 5_000);
    expect(afterAttempt(failed, 1, { ...schedule, schedule_ms: [0, 3] }, now, 0.9).nextAtMs).toBe(now + 3);
  });

  it('waits longer on request, up to a limit, and never less than scheduled', () => {
    expect(waits(1, 0.5, { ...failed, askedMs: 60_000 })).toBe(60_000);
    expect(waits(1, 0.5, { ...failed, askedMs: 10 ** 12 })).toBe(schedule.retry_after_most_ms);
    expect(waits(5, 0.5, { ...failed, askedMs: 1_000 })).toBe(waits(5, 0.5));
  });
});
