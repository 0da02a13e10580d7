import { expect, it } from 'vitest';
import type { Latency } from '../control/protocol.ts';
import { seededRandom } from '../random.ts';
import { drawMs } from './draw-ms.ts';

/** The drawn values, sorted. */
function draws(latency: Latency, count = 2000): number[] {
  return Array.from({ length: count }, (_, at) => drawMs(latency, seededRandom(at))).toSorted(
    (a, b) => a - b,
  );
}

it('gives the same wait for the same draw, and a fixed one whatever is drawn', () => {
  const uniform: Latency = { uniform: { min: 0, max: 1000 } };
  expect(drawMs(uniform, seededRandom(1))).toBe(drawMs(uniform, seededRandom(1)));
  expect(drawMs(uniform, seededRandom(1))).not.toBe(drawMs(uniform, seededRandom(2)));
  expect(new Set([...draws(12, 5), ...draws({ fixed: 12 }, 5)])).toEqual(new Set([12]));
});

it('spreads a uniform wait over its whole range and never beyond', () => {
  const given = draws({ uniform: { min: 10, max: 20 } });
  expect(given[0]).toBeGreaterThanOrEqual(10);
  expect(given[0]).toBeLessThan(10.1);
  expect(given.at(-1)).toBeLessThanOrEqual(20);
  expect(given.at(-1)).toBeGreaterThan(19.9);
  expect(given[1000]).toBeCloseTo(15, 0);
});

it('has the median and the width of a log-normal wait, and cuts its tail at the cap', () => {
  const given = draws({ log_normal: { median: 100, sigma: 0.5, cap: 250 } });
  expect(given[1000] ?? 0).toBeGreaterThan(95);
  expect(given[1000] ?? 0).toBeLessThan(105);
  // One standard deviation below and above: the 16th and the 84th percentile.
  expect((given[318] ?? 0) / 100).toBeCloseTo(Math.exp(-0.5), 1);
  expect((given[1682] ?? 0) / 100).toBeCloseTo(Math.exp(0.5), 1);
  expect(given.at(-1)).toBe(250);
  expect(given[0]).toBeGreaterThan(0);
});

it('has the median and the 99th percentile that it is given', () => {
  const given = draws({ percentiles: { p50: 200, p99: 3000 } }, 20_000);
  expect((given[10_000] ?? 0) / 200).toBeCloseTo(1, 1);
  expect((given[19_800] ?? 0) / 3000).toBeCloseTo(1, 0);
});

it('gives every value of a trace and no other', () => {
  expect([...new Set(draws({ trace: [3, 1, 2] }, 100))]).toEqual([1, 2, 3]);
});
