import fc from 'fast-check';
import { boundS, type EventClock, type EventClocks, looseTimes } from '../oracle/webhooks/replay.ts';

const near = [-1, 0, 1, 2];

/** Any age, the seconds around both bounds, and texts that are not numbers. */
const clock: fc.Arbitrary<EventClock> = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: -boundS, max: boundS }).map((ageS) => ({ ageS })) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...near.flatMap((by) => [{ ageS: boundS + by }, { ageS: -boundS - by }])),
  },
  { weight: 2, arbitrary: fc.integer({ min: boundS + 1, max: 100_000 }).map((ageS) => ({ ageS })) },
  { weight: 1, arbitrary: fc.integer({ min: -100_000, max: -boundS - 1 }).map((ageS) => ({ ageS })) },
  { weight: 2, arbitrary: fc.nat({ max: looseTimes.length - 1 }).map((loose) => ({ loose })) },
);

/** The two times of an event, drawn apart. */
export const eventClocks: fc.Arbitrary<EventClocks> = fc.record({
  signed: clock,
  shown: fc.option(clock, { freq: 2 }),
});
