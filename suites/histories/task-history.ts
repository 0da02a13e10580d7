import fc from 'fast-check';
import type { LifeEnd } from '../oracle/world/task-life.ts';
import { type KeyState, keyStates } from '../oracle/world/world.ts';

/** Who reads a task: its submitter, another user of the account, or another account. */
export const readers = ['owner', 'colleague', 'stranger'] as const;
export type Reader = (typeof readers)[number];
/** Readers of the account. */
export const insiders = ['owner', 'colleague'] as const satisfies readonly Reader[];
export type Insider = (typeof insiders)[number];

/** One step in the lives of some tasks. Places wrap around; -1 is the last task. */
export type TaskStep =
  | { readonly do: 'submit'; readonly model: number; readonly by: Insider }
  /** A later step of a task that has ended. It is refused if the task failed or belongs to another account. */
  | { readonly do: 'continue'; readonly task: number; readonly action: number; readonly by: Reader }
  | { readonly do: 'end'; readonly task: number; readonly end: LifeEnd }
  /** Two tasks of each user, submitted at once and ended at once. */
  | { readonly do: 'crowd'; readonly model: number; readonly end: LifeEnd }
  | { readonly do: 'read'; readonly task: number; readonly by: Reader }
  | { readonly do: 'pass'; readonly what: Passage }
  /** From now on the receiver accepts all events, fails, or wants no more. */
  | { readonly do: 'receive'; readonly as: Receiving }
  /** An administrator's change. It lasts until the next submission, and affects no task that was accepted before. */
  | { readonly do: 'change'; readonly change: TaskChange };

/**
 * Waits. Two halves of the retention and a margin: what ended before both is gone, what ended between them is not. `late`:
 * almost until the deadline of a new task. `kept`: almost as long as a task is kept after its end.
 */
export const passages = ['minute', 'late', 'deadline', 'half', 'kept', 'retention'] as const;
export type Passage = (typeof passages)[number];

/** Changes to an account with tasks: a key, the models that it may use, or its quota. */
export type TaskChange =
  | { readonly what: 'key'; readonly key: Insider; readonly state: KeyState }
  | { readonly what: 'models' }
  | { readonly what: 'quota' };

export interface TaskHistory {
  readonly steps: readonly TaskStep[];
}

export const receivings = ['takes', 'fails', 'gone'] as const;
export type Receiving = (typeof receivings)[number];

const place = fc.nat({ max: 99 });

/** Ends all open tasks by their deadline. */
const expires: TaskStep = { do: 'pass', what: 'deadline' };

const changes: fc.Arbitrary<TaskChange> = fc.oneof(
  fc.record({
    what: fc.constant('key' as const),
    key: fc.constantFrom(...insiders),
    state: fc.constantFrom(...keyStates),
  }),
  fc.constantFrom({ what: 'models' as const }, { what: 'quota' as const }),
);

const step: fc.Arbitrary<TaskStep> = fc.oneof(
  {
    weight: 3,
    arbitrary: changes.map((change) => ({ do: 'change' as const, change })),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('submit' as const),
      model: place,
      by: fc.constantFrom(...insiders),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('continue' as const),
      task: place,
      action: place,
      by: fc.constantFrom(...readers),
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
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('crowd' as const),
      model: place,
      end: fc.constantFrom('SUCCESS' as const, 'FAILED' as const),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('read' as const), task: place, by: fc.constantFrom(...readers) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('receive' as const), as: fc.constantFrom(...receivings) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      what: fc.constantFrom(...passages),
    }),
  },
);

/** A task of a model with later steps, two of these, and one of the second, each until its end. */
const chain: fc.Arbitrary<TaskStep[]> = fc
  .record({
    model: fc.constantFrom(0, 1),
    action: place,
    by: fc.constantFrom(...insiders),
    end: fc.constantFrom('SUCCESS' as const, 'FAILED' as const),
    another: place,
    further: place,
  })
  .map(({ model, action, by, end, another, further }) => [
    { do: 'submit', model, by },
    { do: 'end', task: -1, end: 'SUCCESS' },
    { do: 'continue', task: -1, action, by },
    { do: 'end', task: -1, end },
    { do: 'continue', task: -2, action: another, by: 'owner' },
    { do: 'end', task: -1, end: 'SUCCESS' },
    { do: 'continue', task: -1, action: further, by: 'colleague' },
    { do: 'end', task: -1, end: 'SUCCESS' },
  ]);

/** A receiver that fails, or wants no more events of one task, and accepts those of the next. */
const comeback: fc.Arbitrary<TaskStep[]> = fc
  .record({
    model: place,
    as: fc.constantFrom('fails' as const, 'gone' as const),
    end: fc.constantFrom('SUCCESS' as const, 'FAILED' as const, null),
  })
  .map(({ model, as, end }) => [
    { do: 'receive', as },
    { do: 'submit', model, by: 'owner' },
    ...(end === null ? [expires] : [{ do: 'end' as const, task: -1, end }]),
    { do: 'pass', what: 'minute' },
    { do: 'receive', as: 'takes' },
    { do: 'submit', model, by: 'owner' },
    { do: 'end', task: -1, end: 'SUCCESS' },
  ]);

const steps = fc.oneof(
  { weight: 6, arbitrary: step.map((one) => [one]) },
  { weight: 1, arbitrary: chain },
  { weight: 1, arbitrary: comeback },
);

/** Each kind of end with a receiver that fails at first; some events at the same time. */
export const failsFirst: TaskHistory = {
  steps: [
    { do: 'receive', as: 'fails' },
    { do: 'submit', model: 0, by: 'owner' },
    expires,
    { do: 'crowd', model: 2, end: 'SUCCESS' },
    // Of two in a row one has a webhook_url.
    ...[1, 3].flatMap((model): TaskStep[] => [
      { do: 'submit', model, by: 'owner' },
      { do: 'end', task: -1, end: 'FAILED' },
    ]),
  ],
};

/** Tasks that run for almost as long as they may: they are kept from their end on, not from their submission. */
const endsLate: readonly TaskStep[] = [
  { do: 'submit', model: 2, by: 'owner' },
  { do: 'submit', model: 1, by: 'colleague' },
  { do: 'pass', what: 'late' },
  { do: 'end', task: 0, end: 'FAILED' },
  { do: 'end', task: 1, end: 'SUCCESS' },
  { do: 'read', task: 0, by: 'owner' },
  { do: 'read', task: 1, by: 'owner' },
  { do: 'pass', what: 'kept' },
  { do: 'read', task: 0, by: 'colleague' },
  { do: 'read', task: 1, by: 'owner' },
];

/** A task of each end, after the time for which it is kept; read by all, none of them is known any more. */
export const isForgotten: TaskHistory = {
  steps: [
    ...endsLate,
    { do: 'submit', model: 2, by: 'owner' },
    expires,
    { do: 'submit', model: 0, by: 'owner' },
    { do: 'end', task: -1, end: 'FAILED' },
    { do: 'submit', model: 3, by: 'colleague' },
    { do: 'end', task: -1, end: 'SUCCESS' },
    { do: 'pass', what: 'retention' },
  ],
};

/** Steps that are kept longer than the tasks that they continue, two of them alike; then they are continued themselves. */
export const outlives: TaskHistory = {
  steps: [
    ...[0, 1].map((model): TaskStep => ({ do: 'submit', model, by: 'owner' })),
    ...[0, 1].map((task): TaskStep => ({ do: 'end', task, end: 'SUCCESS' })),
    { do: 'pass', what: 'half' },
    ...[0, 1].map((task): TaskStep => ({ do: 'continue', task, action: 1, by: 'colleague' })),
    { do: 'end', task: 2, end: 'SUCCESS' },
    { do: 'end', task: 3, end: 'FAILED' },
    { do: 'continue', task: 1, action: 1, by: 'owner' },
    { do: 'end', task: 4, end: 'SUCCESS' },
    { do: 'pass', what: 'half' },
    // What they continue is forgotten by now.
    ...[2, 4].flatMap((task): TaskStep[] => [
      { do: 'continue', task, action: 2, by: 'colleague' },
      { do: 'end', task: -1, end: 'SUCCESS' },
    ]),
  ],
};

/** Later steps, and first ones of several models, that fail and that expire: most of them have an event each. */
export const endsBadly: TaskHistory = {
  steps: [
    ...[0, 2, 1].map((model): TaskStep => ({ do: 'submit', model, by: 'owner' })),
    { do: 'end', task: 0, end: 'SUCCESS' },
    { do: 'end', task: 1, end: 'FAILED' },
    { do: 'end', task: 2, end: 'SUCCESS' },
    ...[0, 2].map((task): TaskStep => ({ do: 'continue', task, action: 0, by: 'owner' })),
    ...[3, 4].map((task): TaskStep => ({ do: 'end', task, end: 'FAILED' })),
    { do: 'submit', model: 3, by: 'colleague' },
    ...[0, 2].map((task): TaskStep => ({ do: 'continue', task, action: 1, by: 'colleague' })),
    ...[4, 3, 2, 4].map((model): TaskStep => ({ do: 'submit', model, by: 'owner' })),
    { do: 'end', task: -1, end: 'FAILED' },
    expires,
  ],
};

/** The account changes while its tasks run: they are read, end and are reported as if it had not. */
export const isChanged: TaskHistory = {
  steps: [
    { do: 'submit', model: 2, by: 'owner' },
    { do: 'submit', model: 3, by: 'colleague' },
    ...insiders.flatMap((key, task): TaskStep[] => [
      { do: 'change', change: task === 0 ? { what: 'models' } : { what: 'quota' } },
      { do: 'read', task, by: 'colleague' },
      { do: 'change', change: { what: 'key', key: 'owner', state: 'disabled' } },
      { do: 'end', task, end: key === 'owner' ? 'SUCCESS' : 'FAILED' },
    ]),
  ],
};

/** Lives of some tasks side by side. `draw` selects the first model, so that histories cover all models. */
export const taskHistories: fc.Arbitrary<TaskHistory> = fc.record({
  steps: fc.array(steps, { minLength: 3, maxLength: 14, size: 'max' }).map((parts) => parts.flat()),
});
