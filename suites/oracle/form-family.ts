import type { CellVerdict } from './cell-verdict.ts';
/** One way to write a part of a chat request, with the verdict of the text on it. */
export interface FormCell {
  /** What is unusual about the body, for labels and notes. */
  readonly title: string;
  /** The members of the body besides `model`. Every body contains the prompt somewhere. */
  readonly members: (prompt: string) => Record<string, unknown>;
  readonly verdict: CellVerdict;
  readonly requirement: string;
  readonly aspect: string;
  /** Path of the faulty member: a refusal names its head or its leaf (reading B-05). */
  readonly field: string;
  /**
   * A form of the common schema that the text does not list. It is refused where the profile says that unknown
   * things are refused (reading B-11).
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

/** A titled variant of some member: what it is called and the value it has. */
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
