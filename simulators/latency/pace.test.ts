import { describe, expect, it } from 'vitest';
import type { Pacing } from '../control/protocol.ts';
import { seededRandom } from '../random.ts';
import { chatBody, openChat, readAll, streamEvents } from '../testing/post-chat.ts';
import { useSimulators } from '../testing/simulators.ts';
import { createPace } from './pace.ts';

const paceOf = (pacing: Pacing) =>
  createPace(pacing, { first: seededRandom('first'), each: seededRandom('each') });
const firstDeadlines = (pacing: Pacing, count = 6): number[] => {
  const pace = paceOf(pacing);
  return Array.from({ length: count }, (_, k) => pace.dueMs(k));
};

describe('the deadlines of an answer', () => {
  it('are those of the numbers given', () => {
    expect(firstDeadlines({ first_ms: 100, each_ms: 10 }, 3)).toEqual([100, 110, 120]);
    expect(firstDeadlines({}, 2)).toEqual([0, 0]);
  });

  it('follow a trace from its beginning, round and round', () => {
    expect(firstDeadlines({ first_ms: 5, each_ms: { trace: [1, 2, 3] } })).toEqual([5, 6, 8, 11, 12, 14]);
  });

  it('are drawn gap by gap, once: asking again, or for a later one first, changes nothing', () => {
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
