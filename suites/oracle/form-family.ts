import type { CellVerdict } from './cell-verdict.ts';
/** One form of a part of a chat request, with the specification's verdict on it. */
export interface FormCell {
  /** The unusual detail of the body, for labels and notes. */
  readonly title: string;
  /** The members of the body besides `model`. Every body contains the prompt somewhere. */
  readonly members: (prompt: string) => Record<string, unknown>;
  readonly verdict: CellVerdict;
  readonly requirement: string;
  readonly aspect: string;
  /** Path of the faulty member: a refusal names its head or its leaf (reading B-05). */
  readonly field: string;
  /**
   * A form of the common schema that the specification does not list. It is refused where the profile says so for unknown
   * members (reading B-11).
   */
  readonly commonExtra?: true;
}

/** The cells of one subject; they become one check. */
export interface FormFamily {
  /** The last part of the check's id. */
  readonly name: string;
  readonly title: string;
  readonly requirements: readonly [string, ...string[]];
  /** The bodies contain images, so they are only sent to models with Vision. */
  readonly vision?: true;
  readonly cells: readonly FormCell[];
}

/** Everything about a cell except its title and members. */
export type FormRule = Pick<FormCell, 'requirement' | 'aspect' | 'field'>;

/** A variant of a member, with its title and value. */
export type Variants = Readonly<Record<string, unknown>>;

/** One cell for each variant, built by `members` around it. */
export function formCells(
  verdict: FormCell['verdict'],
  rule: FormRule,
  variants: Variants,
  members: (value: unknown, prompt: string) => Record<string, unknown>,
): FormCell[] {
  return Object.entries(variants).map(([title, value]) => ({
    ...rule,
    verdict,
    title,
    members: (prompt) => members(value, prompt),
  }));
}
