import type { Place } from '../grammar/body-tree.ts';
import type { Certainty } from '../grammar/known-values.ts';
import { printBody } from '../grammar/raw-json.ts';
import type { DraftRequest, Endpoint, Subject } from '../grammar/subject.ts';

/** What is covered or not: one kind of damage of one field of one endpoint. */
export interface Cell {
  readonly endpoint: Endpoint;
  readonly field: string;
  readonly kind: string;
}

export function cellKey({ endpoint, field, kind }: Cell): string {
  return `${endpoint} | ${field} | ${kind}`;
}

/** One request with its damage, and what is certain of the answer. */
export interface FuzzCase {
  /** Its place in the run: with the seed it says everything of the request. */
  readonly index: number;
  readonly subject: Subject;
  /** The damage; the first is the one for which the case was drawn. */
  readonly cells: readonly [Cell, ...Cell[]];
  /** The body as a tree, from which it can be made smaller; null where the request has none, or its text is damaged. */
  readonly tree: unknown;
  readonly request: DraftRequest;
  readonly stream: boolean;
  readonly certainty: Certainty;
  /** Whether a refusal that names a field has to name one of `cells`. */
  readonly isNamed: boolean;
  readonly isPrivateLink: boolean;
  /** Where the damage is: without it nothing of the answer would be certain. */
  readonly places: readonly Place[];
  /** The legal body before the damage; null where there is none. */
  readonly sound: unknown;
  /** Whether the legal body is the smallest one, which no reading refuses. */
  readonly isLeast: boolean;
}

/** The same case with another tree: what shrinking tries. */
export function withTree(one: FuzzCase, tree: unknown): FuzzCase {
  const body = printBody(tree);
  const { path, method, headers } = one.subject.request(body, one.stream);
  return { ...one, tree, request: { path, method, headers, body } };
}
