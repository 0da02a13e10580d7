import fc from 'fast-check';
import { expect, it } from 'vitest';
import { breakerTimelines, callKinds, knownTimelines, type TimelineStep } from './breaker-timeline.ts';

const drawn = fc.sample(breakerTimelines, { numRuns: 600, seed: 1 }).flatMap(({ steps }) => steps);

it('draws every kind of call, both sides of every bound, and concurrent calls', () => {
  const seen = new Set(
    drawn.map((step: TimelineStep) =>
      step.do === 'calls' ? step.kind : step.do === 'wait' ? `${step.bound} ${step.side}` : step.do,
    ),
  );
  const bounds = ['first', 'next', 'window'].flatMap((bound) => [`${bound} before`, `${bound} after`]);
  expect([...seen].sort()).toEqual([...callKinds, ...bounds, 'burst', 'rest'].sort());
});

it('draws timelines of all three dialects', () => {
  expect(new Set(knownTimelines.map(({ model }) => model))).toEqual(new Set([0, 1, 2]));
});
