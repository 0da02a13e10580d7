import { describe, expect, it } from 'vitest';
import { Health } from './health.ts';

const T = 5_000_000;
/** The time in which an average loses half its weight. */
const half = 30_000;

describe('health by outcomes', () => {
  it('is neutral without outcomes', () => {
    expect(new Health().classify('plain', 10, T)).toBe('well');
  });

  it('falls after a failure and recovers with time', () => {
    const health = new Health();
    health.ended(true, T);
    expect(health.classify('plain', null, T)).toBe('failing');
    // The time in which 0.3 fades to 0.25.
    const neutralAfterMs = half * Math.log2(0.3 / 0.25);
    expect(health.classify('plain', null, T + Math.floor(neutralAfterMs))).toBe('failing');
    expect(health.classify('plain', null, T + Math.ceil(neutralAfterMs))).toBe('well');
  });

  it('recovers more slowly after more failures, and faster with successes', () => {
    const health = new Health();
    for (let i = 0; i < 4; i += 1) health.ended(true, T);
    expect(health.classify('plain', null, T + half)).toBe('failing');
    expect(health.classify('plain', null, T + 2 * half)).toBe('well');
    health.ended(false, T);
    health.ended(false, T);
    health.ended(false, T);
    expect(health.classify('plain', null, T)).toBe('failing');
    health.ended(false, T);
    expect(health.classify('plain', null, T)).toBe('well');
  });

  it('is neutral again when the breaker closes', () => {
    const health = new Health();
    for (let i = 0; i < 5; i += 1) health.ended(true, T);
    health.recovered();
    expect(health.classify('plain', null, T)).toBe('well');
  });
});

describe('health by latency', () => {
  const slow = (waitMs: number, times = 5): Health => {
    const health = new Health();
    for (let i = 0; i < times; i += 1) health.waited('stream', waitMs, T);
    return health;
  };

  it('averages the latency and favours recent values', () => {
    const health = slow(200);
    expect(health.latencyMs('stream', T)).toBeCloseTo(200);
    health.waited('stream', 1200, T);
    expect(health.latencyMs('stream', T)).toBeGreaterThan(500);
    expect(new Health().latencyMs('stream', T)).toBeNull();
  });

  it('is slow compared with a channel several times as fast, until the measurement is old', () => {
    const health = slow(6000);
    expect(health.classify('stream', 200, T)).toBe('slow');
    expect(health.classify('stream', 6000, T)).toBe('well');
    expect(health.classify('stream', 200, T + half)).toBe('slow');
    expect(health.classify('stream', 200, T + 3 * half)).toBe('well');
    expect(health.latencyMs('stream', T + 10 * half)).toBeNull();
  });

  it.for([
    ['one wait alone', slow(1500, 1), 200],
    ['waits that are all short', slow(90), 1],
    ['less than twice the time', slow(390), 200],
  ] as const)('says nothing by %s', ([, health, fastestMs]) => {
    expect(health.classify('stream', fastestMs, T)).toBe('well');
  });

  it('does not compare the latency of whole answers with that of streams', () => {
    const health = slow(100);
    for (let i = 0; i < 5; i += 1) health.waited('plain', 9000, T);
    expect(health.classify('stream', 100, T)).toBe('well');
    expect(health.classify('plain', 100, T)).toBe('slow');
  });
});
