import type { Profile } from '../profile/profile.ts';
import type { Mutation } from './mutation.ts';

/** What every gateway with one defect declares: the rule it breaks and the aspect under which a check must name it. */
interface Defect {
  /** Stable: `area.what-is-wrong`. */
  readonly id: string;
  /** The defect as one sentence about the gateway. */
  readonly title: string;
  readonly requirement: string;
  readonly aspect: string;
}

/**
 * A mutant: a gateway with that one defect.
 * - `front`: the defect sits in a proxy in front of the reference gateway
 * - `upstream`: it sits between the gateway and its upstreams
 * - `source`: one place of the gateway's source is patched when a gateway of its own starts (`find` must match exactly once)
 */
export type Mutant =
  | (Defect & { readonly kind: 'front' | 'upstream'; readonly mutation: Mutation })
  | (Defect & {
      readonly kind: 'source';
      readonly file: string;
      readonly find: string;
      readonly replace: string;
    });

/** A gateway that differs from the reference without breaking a rule: no check may fail it, or warn beyond what is declared. */
export interface Variant {
  readonly id: string;
  readonly title: string;
  /** `requirement aspect` of the advice that a reading gives about the difference: a check may warn of it. */
  readonly advised?: readonly string[];
  /** What such a deployment would declare about itself, where that is not what the reference declares. */
  readonly declares?: { readonly chat?: Partial<Profile['chat']> };
  readonly mutation: Mutation;
}

/** What a mutant declares beside its mutation: id, the defect as a sentence, and the rule and aspect that it breaks. */
export type Claim = readonly [id: string, title: string, requirement: string, aspect: string];

/** A defect that sits in front of the reference gateway. */
export function front([id, title, requirement, aspect]: Claim, mutation: Mutation): Mutant {
  return { id, title, requirement, aspect, kind: 'front', mutation };
}

/** A defect that sits between the gateway and its upstream. */
export function upstream([id, title, requirement, aspect]: Claim, mutation: Mutation): Mutant {
  return { id, title, requirement, aspect, kind: 'upstream', mutation };
}

/** A defect in the source of the gateway: `file` below `gateway/`, `find` there once, one line where it can be. */
export function source(
  [id, title, requirement, aspect]: Claim,
  file: string,
  find: string,
  replace: string,
): Mutant {
  return { id, title, requirement, aspect, kind: 'source', file: `gateway/${file}`, find, replace };
}
