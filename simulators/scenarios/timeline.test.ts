import { expect, it } from 'vitest';
import type { ScenarioChannel } from '../control/scenario.ts';
import { Timeline } from './timeline.ts';

const phases = (...given: (number | null)[]): ScenarioChannel => ({
  phases: given.map((forMs) => (forMs === null ? {} : { for_ms: forMs })),
});

/** The index of the current phase at each of the times. */
const indexes = (timeline: Timeline, ...times: number[]): (number | null)[] =>
  times.map((nowMs) => timeline.at(nowMs)?.index ?? null);

it('runs timed phases one after another from the beginning, then ends', () => {
  const timeline = new Timeline(phases(100, 50), 1000);
  expect(indexes(timeline, 1000, 1099, 1100, 1149, 1150, 9999)).toEqual([0, 0, 1, 1, null, null]);
});

it('reports when a phase began even without a call at that time', () => {
  expect(new Timeline(phases(100, 50), 1000).at(1120)).toMatchObject({ index: 1, sinceMs: 1100 });
});

it('keeps an untimed phase until a step, and times the next one from the step', () => {
  const timeline = new Timeline(phases(null, 100), 0);
  expect(indexes(timeline, 5_000)).toEqual([0]);
  timeline.step(5_000);
  expect(indexes(timeline, 5_099, 5_100)).toEqual([1, null]);
});

it('steps out of a timed phase early, and does nothing after the last phase', () => {
  const timeline = new Timeline(phases(100, null), 0);
  timeline.step(10);
  expect(indexes(timeline, 10)).toEqual([1]);
  timeline.step(20);
  timeline.step(30);
  expect(indexes(timeline, 30)).toEqual([null]);
});

it('begins again at the end of a loop, also after a jump over millions of rounds', () => {
  const timeline = new Timeline({ ...phases(2, 1), loop: true }, 0);
  expect(indexes(timeline, 0, 2, 3, 5, 6)).toEqual([0, 1, 0, 1, 0]);
  expect(timeline.at(3e9 + 2)).toMatchObject({ index: 1, sinceMs: 3e9 + 2 });
});

it('waits for a step in each untimed phase of a loop', () => {
  const timeline = new Timeline({ ...phases(10, null), loop: true }, 0);
  expect(indexes(timeline, 1_000_000)).toEqual([1]);
  timeline.step(1_000_000);
  expect(indexes(timeline, 1_000_009, 1_000_010)).toEqual([0, 1]);
});
