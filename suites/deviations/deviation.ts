import type { Failure } from 'gatecheck-reports/report';
import type { Translation } from '../profile/translation.ts';
import type { Mutation } from '../rewrite/mutation.ts';

/** What a profile says of a deviation after its name. */
export type Given = string | readonly string[] | Readonly<Record<string, string>>;

/** A known way in which a deployment differs from the specification, all over its answers, for one cause. */
export interface Deviation {
  /** The name by which a profile declares it. */
  readonly id: string;
  /** What such a deployment does, as one sentence. */
  readonly title: string;
  /** The rule that it breaks. */
  readonly requirement: string;
  /** Further rules that it may break. */
  readonly also?: readonly string[];
  /** Whether a failure for these rules may come from it, where they are about more; true, if absent. */
  readonly fits?: (failure: Failure) => boolean;
  /** Whether a failure shows that the deployment does not do what the title says. */
  readonly refuted?: (failure: Failure) => boolean;
  /** The checks that report the deviation, once: they see it untranslated, all others translated. */
  readonly checks: readonly [string, ...string[]];
  /** What has to be said after its name, in words with an example; nothing, if absent. */
  readonly takes?: string;
  /** What a profile would say after its name, as these failures show it; null where they do not. */
  readonly seen?: (failures: readonly Failure[]) => string | null;
  /** Set where others can only be undone after it. */
  readonly isFirst?: true;
  /** Rules of which nothing can be said beside it; null for none. */
  readonly silences?: (given: Given | undefined) => ((rule: string) => boolean) | null;
  /** Makes requests and answers what they would be without it; null where what is said cannot be meant. */
  readonly undo: (given: Given | undefined) => Mutation | null;
  /** How traffic of clients, who ask as the deployment wants, is read and judged. */
  readonly passing?: (given: Given | undefined) => Pick<Translation, 'specified' | 'hides'>;
}

/** A list of header names, in small letters; null where something is no such name, or one of these. */
export function headerNames(names: readonly string[], never: readonly string[]): string[] | null {
  const small = names.map((name) => name.toLowerCase());
  const are = small.every((name) => /^[!#$%&'*+.^_`|~\w-]+$/.test(name) && !never.includes(name));
  return are && small.length > 0 ? small : null;
}
