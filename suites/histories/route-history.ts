import fc from 'fast-check';
import type { Behaviour } from '../oracle/world/behaviours.ts';
import { type HistoryStep, waits, weighted } from './history.ts';

/** One call of a route, `times` times; the indices of its channels wrap around. */
export interface RouteCallPlan {
  readonly do: 'call';
  readonly times: number;
  readonly isCompat: boolean;
  readonly stream: boolean;
  /** How many calls of one tool the conversation has had. */
  readonly results: number;
  /** The behaviour of the model's own channels. */
  readonly own: readonly Behaviour[];
  /** The behaviour of its fallback's channels. */
  readonly reserve: Behaviour;
}

export type RouteStep = RouteCallPlan | (HistoryStep & { readonly do: 'wait' });

/** What happens to one declared route, in order. */
export interface RouteHistory {
  /** The seed for drawing the route. */
  readonly draw: number;
  readonly steps: readonly RouteStep[];
}

const ofOwn = ['good', 'server', 'busy', 'reset', 'garbage', 'policy', 'too-long', 'odd-status'] as const;
const ownWeights = {
  good: 4,
  server: 5,
  busy: 2,
  reset: 2,
  garbage: 1,
  policy: 1,
  'too-long': 1,
  'odd-status': 1,
};
// The dialect of a fallback is not declared, so it fails only in ways that all dialects share.
const ofReserve = ['good', 'server', 'reset', 'odd-status'] as const;

const calls: fc.Arbitrary<RouteStep> = fc.record({
  do: fc.constant('call' as const),
  times: fc.integer({ min: 1, max: 4 }),
  isCompat: fc.boolean(),
  stream: fc.boolean(),
  results: fc.constantFrom(0, 0, 2, 3),
  own: fc.oneof(
    { weight: 2, arbitrary: weighted(ofOwn, ownWeights).map((behaviour) => [behaviour]) },
    { weight: 1, arbitrary: fc.array(weighted(ofOwn, ownWeights), { minLength: 2, maxLength: 3 }) },
  ),
  reserve: weighted(ofReserve, { good: 4, server: 2, reset: 1, 'odd-status': 2 }),
});

/** Conversations with results of earlier calls, for all channels of a route. */
export const retold: readonly RouteStep[] = [false, true].map((stream) => ({
  ...{ do: 'call', times: 4, isCompat: true, stream, results: 2 },
  ...{ own: ['good'], reserve: 'good' },
}));

/** Histories of routes. They shrink to fewer calls of healthy channels. */
export const routeHistories: fc.Arbitrary<RouteHistory> = fc.record({
  draw: fc.nat({ max: 999 }),
  steps: fc.array(fc.oneof({ weight: 5, arbitrary: calls }, { weight: 1, arbitrary: waits }), {
    minLength: 2,
    maxLength: 12,
    size: 'max',
  }),
});
