import fc from 'fast-check';
import type { LifeEnd } from '../oracle/world/task-life.ts';

/** Who reads a task: the one who submitted it, another user of the account, or another account. */
export const readers = ['owner', 'colleague', 'stranger'] as const;
export type Reader = (typeof readers)[number];

/** One step in the lives of some tasks. Places wrap around. */
export type TaskStep =
  | { readonly do: 'submit'; readonly model: number; readonly by: 'owner' | 'colleague' }
  /** A later step of a task that has ended; of one that has failed, or is not of the account, it is refused. */
  | { readonly do: 'continue'; readonly task: number; readonly action: number; readonly by: Reader }
  | { readonly do: 'end'; readonly task: number; readonly end: LifeEnd }
  | { readonly do: 'read'; readonly task: number; readonly by: Reader }
  | { readonly do: 'pass'; readonly what: 'minute' | 'deadline' | 'retention' };

const place = fc.nat({ max: 99 });

const step: fc.Arbitrary<TaskStep> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('submit' as const),
      model: place,
      by: fc.constantFrom('owner' as const, 'colleague' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('continue' as const),
      task: place,
      action: place,
      by: fc.constantFrom('owner' as const, 'colleague' as const, 'stranger' as const),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      task: place,
      end: fc.constantFrom('SUCCESS' as const, 'SUCCESS' as const, 'FAILED' as const),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('read' as const), task: place, by: fc.constantFrom(...readers) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      what: fc.constantFrom('minute' as const, 'deadline' as const, 'retention' as const),
    }),
  },
);

/** Lives of some tasks side by side. The first model comes from `draw`, so that histories spread over all of them. */
export const taskHistories: fc.Arbitrary<{ readonly steps: readonly TaskStep[] }> = fc.record({
  steps: fc.array(step, { minLength: 3, maxLength: 16, size: 'max' }),
});
