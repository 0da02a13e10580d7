import type { Failure } from 'gatecheck-reports/report';
import type { Translation } from '../profile/translation.ts';
import type { Mutation } from '../rewrite/mutation.ts';

/** The value of a deviation in a profile. */
export type Given = string | readonly string[] | Readonly<Record<string, string>>;

/** A known difference between a deployment and the specification that affects many answers and has one cause. */
export interface Deviation {
  /** The name by which a profile declares it. */
  readonly id: string;
  /** The behaviour of such a deployment, as one sentence. */
  readonly title: string;
  /** The rule that it breaks. */
  readonly requirement: string;
  /** Further rules that it may break. */
  readonly also?: readonly string[];
  /** Whether it may cause a given failure of these rules; always, if absent. */
  readonly fits?: (failure: Failure) => boolean;
  /** Whether a failure proves that the deployment does not deviate in this way. */
  readonly refuted?: (failure: Failure) => boolean;
  /** The checks that report the deviation, once: they see it untranslated, all others translated. */
  readonly checks: readonly [string, ...string[]];
  /** A description of its value, with an example; absent if it takes none. */
  readonly takes?: string;
  /** What a profile would say after its name, as these failures show it; null where they do not. */
  readonly seen?: (failures: readonly Failure[]) => string | null;
  /** Set where others can only be undone after it. */
  readonly isFirst?: true;
  /** Rules of which nothing can be said beside it; null for none. */
  readonly silences?: (given: Given | undefined) => ((rule: string) => boolean) | null;
  /** Translates requests and answers to those without the deviation; null for an invalid value. */
  readonly undo: (given: Given | undefined) => Mutation | null;
  /** How to read and judge client traffic, which already follows the deployment's own form. */
  readonly passing?: (given: Given | undefined) => Pick<Translation, 'specified' | 'hides'>;
}

/** The header names in lower case; null if the list is empty or contains an invalid or forbidden name. */
export function headerNames(names: readonly string[], never: readonly string[]): string[] | null {
  const small = names.map((name) => name.toLowerCase());
  const are = small.every((name) => /^[!#$%&'*+.^_`|~\w-]+$/.test(name) && !never.includes(name));
  return are && small.length > 0 ? small : null;
}
