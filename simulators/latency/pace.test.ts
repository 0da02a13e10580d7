import { describe, expect, it } from 'vitest';
import type { Latency, Pacing } from '../control/protocol.ts';
import { seededRandom } from '../random.ts';
import { chatBody, openChat, readAll, streamEvents } from '../testing/post-chat.ts';
import { useSimulators } from '../testing/simulators.ts';
import { createPace, drawMs } from './pace.ts';

const paceOf = (pacing: Pacing) =>
  createPace(pacing, { first: seededRandom('first'), each: seededRandom('each') });
const firstDeadlines = (pacing: Pacing, count = 6): number[] => {
  const pace = paceOf(pacing);
  return Array.from({ length: count }, (_, k) => pace.dueMs(k));
};

describe('the deadlines of an answer', () => {
  it('follow the given numbers', () => {
    expect(firstDeadlines({ first_ms: 100, each_ms: 10 }, 3)).toEqual([100, 110, 120]);
    expect(firstDeadlines({}, 2)).toEqual([0, 0]);
  });

  it('follow a trace from its beginning, and repeat it', () => {
    expect(firstDeadlines({ first_ms: 5, each_ms: { trace: [1, 2, 3] } })).toEqual([5, 6, 8, 11, 12, 14]);
  });

  it('are drawn once per gap, so the order of calls does not matter', () => {
    const pacing: Pacing = { first_ms: { fixed: 7 }, each_ms: { uniform: { min: 1, max: 9 } } };
    const inOrder = firstDeadlines(pacing);
    const pace = paceOf(pacing);
    expect(pace.dueMs(5)).toBe(inOrder[5]);
    expect(pace.dueMs(2)).toBe(inOrder[2]);
    const gaps = inOrder.slice(1).map((due, k) => due - (inOrder[k] ?? 0));
    expect(new Set(gaps).size).toBe(gaps.length);
    for (const gap of gaps) expect(gap).toSatisfy((ms: number) => ms >= 1 && ms <= 9);
  });
});

const simulators = useSimulators({ testClock: true });

it('counts every deadline from the beginning, so that a late write does not push back the next', async () => {
  const tenant = simulators.tenant();
  const pacing: Pacing = { first_ms: 1000, each_ms: { trace: [1000, 500] } };
  await tenant.script({ replies: [{ deltas: ['a', 'b', 'c'], pacing }] });
  const response = await openChat(simulators.base(tenant.name), chatBody({ stream: true }));
  // The time is past the first two deadlines, so both writes are late; the third deadline does not move.
  await simulators.control.advance(2200);
  await simulators.control.advance(400);
  await simulators.control.advance(1000);
  await readAll(streamEvents(response));
  const { entries } = await tenant.journal({ ended: 1 });
  const sends = entries[0]?.reply.sends ?? [];
  const begin = sends[0]?.intended_ms ?? 0;
  const deltas = sends.filter(({ label }) => label.startsWith('delta'));
  expect(deltas.map((send) => Math.round(send.intended_ms - begin))).toEqual([1000, 2000, 2500]);
  const late = deltas.map((send) => send.actual_ms - send.intended_ms);
  expect(late[0]).toBeGreaterThan(1100);
  expect(late[1]).toBeLessThan(900);
  expect(late[2]).toBeLessThan(900);
});

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
