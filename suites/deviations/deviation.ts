import type { Mutation } from '../mutation/mutation.ts';

/** A known way in which a deployment differs from the specification, all over its answers, for one cause. */
export interface Deviation {
  /** The name by which a profile declares it. */
  readonly id: string;
  /** What such a deployment does, as one sentence. */
  readonly title: string;
  /** The rule that it breaks. */
  readonly requirement: string;
  /** The checks that tell it, once: they are judged without this one undone, all others with. */
  readonly checks: readonly [string, ...string[]];
  /** Makes requests and answers what they would be without it. */
  readonly undo: Mutation;
}
