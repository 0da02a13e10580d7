import type { Profile } from '../../suites/profile/profile.ts';
import type { Mutation } from '../../suites/rewrite/mutation.ts';

/** The declaration of a gateway with one defect: the broken rule, and the aspect that a check must name. */
interface Defect {
  /** Stable: `area.what-is-wrong`. */
  readonly id: string;
  /** The defect as one sentence about the gateway. */
  readonly title: string;
  readonly requirement: string;
  readonly aspect: string;
}

/**
 * A mutant: a gateway with exactly one defect.
 * - `front`: the defect is in a proxy in front of the reference gateway
 * - `upstream`: the defect is in a proxy between the gateway and its upstreams
 * - `source`: the source of the gateway is patched in one place at start; `find` must match exactly once
 */
export type Mutant =
  | (Defect & { readonly kind: 'front' | 'upstream'; readonly mutation: Mutation })
  | (Defect & {
      readonly kind: 'source';
      readonly file: string;
      readonly find: string;
      readonly replace: string;
    });

/**
 * A gateway that differs from the reference without breaking a rule. No check may fail it, or warn more than
 * declared.
 */
export interface Variant {
  readonly id: string;
  readonly title: string;
  /** `requirement aspect` of a reading's advice about the difference. A check may warn about it. */
  readonly advised?: readonly string[];
  /** Facts of such a deployment that differ from those of the reference. */
  readonly declares?: { readonly chat?: Partial<Profile['chat']> };
  readonly mutation: Mutation;
}

/** The declaration of a mutant apart from its mutation: its id, the defect as a sentence, the broken rule and aspect. */
export type Claim = readonly [id: string, title: string, requirement: string, aspect: string];

/** A defect in front of the reference gateway. */
export function front([id, title, requirement, aspect]: Claim, mutation: Mutation): Mutant {
  return { id, title, requirement, aspect, kind: 'front', mutation };
}

/** A defect between the gateway and its upstreams. */
export function upstream([id, title, requirement, aspect]: Claim, mutation: Mutation): Mutant {
  return { id, title, requirement, aspect, kind: 'upstream', mutation };
}

/**
 * A defect in the source of the gateway. `file` is below `gateway/`; `find` occurs in it once and should be one
 * line.
 */
export function source(
  [id, title, requirement, aspect]: Claim,
  file: string,
  find: string,
  replace: string,
): Mutant {
  return { id, title, requirement, aspect, kind: 'source', file: `gateway/${file}`, find, replace };
}
