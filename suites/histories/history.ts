import fc from 'fast-check';
import { type Behaviour, behaviours } from '../oracle/world/behaviours.ts';
import { type CallFault, callFaults } from '../oracle/world/judge-call.ts';
import { type KeyState, keyStates } from '../oracle/world/world.ts';

/** Keys of a history: two of one user, one of another user, and one of an account with hardly any credit. */
export const historyKeys = ['first', 'second', 'other', 'scarce'] as const;
export type HistoryKey = (typeof historyKeys)[number];

/** The endpoints that a history calls, each with its own model. */
export const historyWays = ['core', 'compat', 'images', 'tasks', 'models', 'read'] as const;
export type HistoryWay = (typeof historyWays)[number];

/** Headers that proxies, frameworks and tracers interpret, but the specification does not mention. */
export const headerKinds = ['none', 'forwarded', 'override', 'traced'] as const;
export type HeaderKind = (typeof headerKinds)[number];

export interface CallPlan {
  readonly way: HistoryWay;
  readonly stream: boolean;
  readonly key: HistoryKey;
  readonly behaviour: Behaviour;
  readonly fault: CallFault;
  readonly headers: HeaderKind;
}

/** An administrator's change, in effect when the next call begins. */
export type Change =
  | { readonly what: 'key'; readonly key: 'first' | 'second'; readonly state: KeyState }
  | { readonly what: 'cap'; readonly cap: number }
  | {
      readonly what: 'model';
      readonly way: 'core' | 'compat' | 'images' | 'tasks';
      /** Whether the account loses this model, or all that there are. */
      readonly hidden: boolean | 'all';
    }
  | { readonly what: 'quota'; readonly spent: boolean }
  /** More credit, which the balance shows afterwards. */
  | { readonly what: 'grant' }
  | { readonly what: 'markup'; readonly bp: number };

export type HistoryStep =
  | { readonly do: 'calls'; readonly plan: CallPlan; readonly times: number }
  /** Calls of one user that are at the upstream at the same time. A change meanwhile does not affect them. */
  | {
      readonly do: 'together';
      readonly plan: CallPlan;
      readonly count: number;
      readonly change: Change | null;
    }
  | { readonly do: 'change'; readonly change: Change }
  /** A wait until just before or after the end of a cool-down or of the window, counted from now. */
  | {
      readonly do: 'wait';
      readonly bound: 'first' | 'next' | 'window';
      readonly side: 'before' | 'after';
    };

/** What happens to one account and its models, in order. */
export interface History {
  /** The seed for drawing the models. */
  readonly draw: number;
  readonly steps: readonly HistoryStep[];
}

/** The weights of the steps in a kind of history. */
export interface HistoryKind {
  readonly behaviours: Readonly<Partial<Record<Behaviour, number>>>;
  readonly faults: Readonly<Partial<Record<CallFault, number>>>;
  readonly keys: readonly HistoryKey[];
  readonly steps: {
    readonly calls: number;
    readonly together: number;
    readonly change: number;
    readonly wait: number;
    /** Failures until a breaker opens, some of them at once, and calls around the end of its cool-down. */
    readonly outage: number;
  };
  /** The most repetitions of one call. */
  readonly times: number;
  readonly headers: readonly HeaderKind[];
}

/** One of the values, by weight; values without a weight are never drawn. */
export function weighted<T extends string>(
  all: readonly T[],
  weights: Readonly<Partial<Record<T, number>>>,
): fc.Arbitrary<T> {
  // Shrinking leads to the first value.
  const known = all.map((value) => ({ arbitrary: fc.constant(value), weight: weights[value] ?? 0 }));
  return fc.oneof(...known.filter(({ weight }) => weight > 0));
}

const changes: fc.Arbitrary<Change> = fc.oneof(
  fc.record({
    what: fc.constant('key' as const),
    key: fc.constantFrom('first' as const, 'second' as const),
    state: fc.constantFrom(...keyStates),
  }),
  fc.record({ what: fc.constant('cap' as const), cap: fc.integer({ min: 1, max: 6 }) }),
  fc.record({
    what: fc.constant('model' as const),
    way: fc.constantFrom('core' as const, 'compat' as const, 'images' as const, 'tasks' as const),
    hidden: fc.constantFrom(false, true, 'all' as const),
  }),
  fc.record({ what: fc.constant('quota' as const), spent: fc.boolean() }),
  fc.constant({ what: 'grant' as const }),
  fc.record({ what: fc.constant('markup' as const), bp: fc.constantFrom(5_000, 0, -2_500) }),
);

export const waits = fc.record({
  do: fc.constant('wait' as const),
  bound: fc.constantFrom('first' as const, 'next' as const, 'window' as const),
  side: fc.constantFrom('after' as const, 'before' as const),
});

/** A call that a change affects. */
export function metBy(change: Change, plan: CallPlan): CallPlan {
  return {
    ...{ ...plan, fault: 'none', key: change.what === 'key' ? change.key : 'first' },
    ...(change.what === 'model' ? { way: change.way } : {}),
  };
}

/** A change, a call that it affects, and the same with the reading endpoints. */
export function tried(change: Change, plan: CallPlan): HistoryStep[] {
  const met = metBy(change, plan);
  return [
    { do: 'change', change },
    { do: 'calls', plan: met, times: 1 },
    ...(['models', 'read'] as const).map((way) => ({
      ...{ do: 'calls' as const, times: 1 },
      plan: { ...met, way },
    })),
  ];
}

const failures = ['server', 'garbage', 'reset', 'busy', 'asks'] as const satisfies readonly Behaviour[];

/** Enough failures to open a breaker, the last ones at the same time, and good calls around the end of its cool-down. */
const outages: fc.Arbitrary<HistoryStep[]> = fc
  .record({
    way: fc.constantFrom('core' as const, 'compat' as const, 'images' as const),
    stream: fc.boolean(),
    behaviour: fc.constantFrom(...failures),
    refused: fc.constantFrom('other' as const, 'scarce' as const),
    before: fc.integer({ min: 0, max: 2 }),
    atOnce: fc.integer({ min: 2, max: 8 }),
    bound: fc.constantFrom('first' as const, 'first' as const, 'next' as const),
    side: fc.constantFrom('after' as const, 'after' as const, 'before' as const),
    // The call at the end of the cool-down may say nothing about its channel, or lose its caller.
    probe: fc.constantFrom(null, null, 'policy' as const, 'odd-status' as const, 'leaves' as const),
  })
  .map(({ way, stream, behaviour, refused, before, atOnce, bound, side, probe }) => {
    const plan: CallPlan = { way, stream, key: 'other', behaviour, fault: 'none', headers: 'none' };
    const good: CallPlan = { ...plan, behaviour: 'good' };
    return [
      ...(before > 0 ? [{ do: 'calls' as const, plan, times: before }] : []),
      { do: 'together', plan, count: atOnce, change: null },
      // If a refusal keeps a hold, an account with little credit lacks that amount.
      { do: 'calls', plan: { ...good, key: refused }, times: 2 },
      { do: 'wait', bound, side },
      ...(probe === null ? [] : [{ do: 'calls' as const, plan: { ...plan, behaviour: probe }, times: 1 }]),
      { do: 'calls', plan: good, times: 2 },
    ];
  });

/** Runs of failures, each too short to open a breaker, with a good call after the first run. */
const brokenRows: fc.Arbitrary<HistoryStep[]> = fc
  .record({
    way: fc.constantFrom('core' as const, 'compat' as const, 'images' as const),
    stream: fc.boolean(),
    behaviour: fc.constantFrom(...failures),
    // Most attempts are made twice.
    rows: fc.array(fc.integer({ min: 1, max: 2 }), { minLength: 2, maxLength: 3 }),
  })
  .map(({ rows, ...call }) => {
    const plan: CallPlan = { ...call, key: 'other', fault: 'none', headers: 'none' };
    return rows.flatMap((times) => [
      { do: 'calls' as const, plan, times },
      { do: 'calls' as const, plan: { ...plan, behaviour: 'good' as const }, times: 1 },
    ]);
  });

/** Histories of a kind. They shrink to fewer steps of plain, good calls. */
export function histories(kind: HistoryKind): fc.Arbitrary<History> {
  const plan = fc.record({
    way: fc.constantFrom(...historyWays),
    stream: fc.boolean(),
    key: fc.constantFrom(...kind.keys),
    behaviour: weighted(behaviours, kind.behaviours),
    fault: weighted(callFaults, kind.faults),
    headers: fc.constantFrom(...kind.headers),
  });
  const single: fc.Arbitrary<HistoryStep> = fc.oneof(
    {
      weight: kind.steps.calls,
      arbitrary: fc.record({
        do: fc.constant('calls' as const),
        plan,
        times: fc.integer({ min: 1, max: kind.times }),
      }),
    },
    {
      weight: kind.steps.together,
      arbitrary: fc.record({
        do: fc.constant('together' as const),
        plan,
        count: fc.integer({ min: 2, max: 8 }),
        change: fc.option(changes, { freq: 3 }),
      }),
    },
    { weight: kind.steps.wait, arbitrary: waits },
  );
  const { outage, change, calls, together, wait } = kind.steps;
  const weight = calls + together + wait;
  const some = fc.oneof(
    { weight, arbitrary: single.map((step) => [step]) },
    { weight: change, arbitrary: fc.tuple(changes, plan).map(([one, met]) => tried(one, met)) },
    { weight: outage, arbitrary: fc.oneof(outages, brokenRows) },
  );
  return fc.record({
    draw: fc.nat({ max: 999 }),
    steps: fc.array(some, { minLength: 1, maxLength: 14, size: 'max' }).map((parts) => parts.flat()),
  });
}
