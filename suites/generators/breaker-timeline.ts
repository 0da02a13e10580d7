import fc from 'fast-check';

/** The outcome of a call at its upstream; `leave` means that the caller disconnects. */
export const callKinds = [
  'ok',
  'server',
  'busy',
  'connection',
  'garbage',
  'timeout',
  'policy',
  'context',
  'leave',
  'break',
] as const;
export type CallKind = (typeof callKinds)[number];

/** One step of a timeline. */
export type TimelineStep =
  | { readonly do: 'calls'; readonly kind: CallKind; readonly times: number; readonly stream: boolean }
  /** Several successful calls at once. */
  | { readonly do: 'burst'; readonly calls: number }
  /** A wait until just before or just after the end of a cool-down or of the window, counted from now. */
  | { readonly do: 'wait'; readonly bound: 'first' | 'next' | 'window'; readonly side: 'before' | 'after' }
  | { readonly do: 'rest'; readonly ms: number };

/** The steps of one breaker, in order. */
export interface BreakerTimeline {
  /** Selects a model of the dialect. */
  readonly model: number;
  readonly steps: readonly TimelineStep[];
}

const weights: Readonly<Record<CallKind, number>> = {
  ok: 5,
  server: 8,
  busy: 2,
  connection: 2,
  garbage: 3,
  timeout: 1,
  policy: 2,
  context: 1,
  leave: 1,
  break: 1,
};

const calls = fc
  .tuple(
    fc.oneof(...callKinds.map((kind) => ({ arbitrary: fc.constant<CallKind>(kind), weight: weights[kind] }))),
    fc.integer({ min: 1, max: 4 }),
    fc.boolean(),
  )
  .map(([kind, times, stream]): TimelineStep => ({ do: 'calls', kind, times, stream }));

/** Enough consecutive failures to open a breaker, then calls around the end of the cool-down. */
const outage = fc
  .tuple(
    fc.constantFrom<CallKind>('server', 'garbage', 'connection'),
    fc.constantFrom<('first' | 'next')[]>(['first'], ['first'], ['next']),
    fc.constantFrom<'before' | 'after'>('before', 'after'),
    fc.constantFrom<TimelineStep>(
      { do: 'calls', kind: 'ok', times: 2, stream: false },
      { do: 'calls', kind: 'server', times: 1, stream: false },
      { do: 'burst', calls: 3 },
    ),
  )
  .map(([kind, [bound = 'first'], side, then]): TimelineStep[] => [
    { do: 'calls', kind, times: 6, stream: false },
    { do: 'wait', bound, side },
    then,
  ]);

const step: fc.Arbitrary<TimelineStep[]> = fc.oneof(
  { arbitrary: calls.map((one) => [one]), weight: 6 },
  { arbitrary: outage, weight: 3 },
  {
    arbitrary: fc
      .record({
        do: fc.constant('wait' as const),
        bound: fc.constantFrom('first' as const, 'next' as const, 'window' as const),
        side: fc.constantFrom('before' as const, 'after' as const),
      })
      .map((one) => [one]),
    weight: 3,
  },
  {
    arbitrary: fc.integer({ min: 2, max: 4 }).map((count) => [{ do: 'burst' as const, calls: count }]),
    weight: 1,
  },
  { arbitrary: fc.integer({ min: 100, max: 900 }).map((ms) => [{ do: 'rest' as const, ms }]), weight: 1 },
);

/** Timelines of outcomes and waits. The waits are close to the bounds at which the state changes. */
export const breakerTimelines: fc.Arbitrary<BreakerTimeline> = fc.record({
  model: fc.integer({ min: 0, max: 2 }),
  steps: fc.array(step, { minLength: 1, maxLength: 8, size: 'max' }).map((parts) => parts.flat()),
});

const some = (kind: CallKind, times: number, stream = false): TimelineStep => ({
  do: 'calls',
  kind,
  times,
  stream,
});
const upTo = (bound: 'first' | 'next' | 'window', side: 'before' | 'after'): TimelineStep => ({
  do: 'wait',
  bound,
  side,
});

/** Timelines that every run tries. */
export const knownTimelines: readonly BreakerTimeline[] = [
  // Opens, stays open until the cool-down ends, fails its probe, stays open longer, and closes.
  {
    model: 0,
    steps: [
      some('server', 4),
      upTo('first', 'before'),
      some('ok', 1),
      { do: 'rest', ms: 1_500 },
      { do: 'rest', ms: 500 },
      some('server', 1, true),
      upTo('first', 'after'),
      some('ok', 1),
      upTo('next', 'after'),
      { do: 'burst', calls: 4 },
      some('ok', 2, true),
    ],
  },
  // Too few consecutive failures, but half of the calls in the window. They count only as long as they are in the window.
  {
    model: 1,
    steps: [
      some('server', 1),
      some('ok', 2),
      some('server', 1),
      some('ok', 2),
      upTo('window', 'after'),
      some('server', 1),
      some('ok', 3),
      upTo('window', 'after'),
      some('garbage', 2),
      some('ok', 2),
      some('server', 1),
      some('ok', 2),
      some('server', 1),
      some('ok', 2),
    ],
  },
  // Failures caused by the caller never count, neither in a closed breaker nor as a probe.
  {
    model: 2,
    steps: [
      some('server', 2),
      some('ok', 1),
      some('policy', 4),
      some('context', 3, true),
      some('leave', 6),
      some('ok', 1),
      some('garbage', 6),
      upTo('first', 'after'),
      some('policy', 1),
      some('ok', 2),
    ],
  },
  // The cool-down grows with each opening in a row, up to the declared maximum. After the breaker closes, it starts anew.
  {
    model: 1,
    steps: [
      some('server', 4),
      upTo('first', 'after'),
      some('server', 1),
      upTo('next', 'after'),
      some('garbage', 1, true),
      upTo('next', 'after'),
      some('ok', 1),
      { do: 'burst', calls: 3 },
      some('server', 4),
      upTo('first', 'after'),
      some('ok', 1),
    ],
  },
  // A probe whose caller disconnects frees its slot for the next one. A busy upstream counts like a failing
  // one.
  {
    model: 0,
    steps: [
      some('garbage', 6),
      upTo('first', 'after'),
      some('leave', 1),
      some('ok', 2),
      some('busy', 3),
      some('ok', 1),
      upTo('first', 'after'),
      some('ok', 1),
    ],
  },
  // Exactly half of the window, with no more consecutive failures than allowed.
  {
    model: 2,
    steps: [
      some('garbage', 4),
      some('ok', 5),
      some('garbage', 1),
      some('ok', 1),
      upTo('first', 'after'),
      some('ok', 1),
    ],
  },
  // Timeouts and broken connections count like any other failure.
  {
    model: 0,
    steps: [some('timeout', 2), some('connection', 2), some('ok', 1), upTo('first', 'after'), some('ok', 2)],
  },
];
