import type { Place } from '../grammar/body-tree.ts';
import type { Certainty } from '../grammar/known-values.ts';
import { printBody } from '../grammar/raw-json.ts';
import type { DraftRequest, Endpoint, Subject } from '../grammar/subject.ts';

/** The unit of coverage: one kind of damage of one field of one endpoint. */
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
  /** Its index in the run. With the seed, it determines the request. */
  readonly index: number;
  readonly subject: Subject;
  /** The damage; the first is the one for which the case was drawn. */
  readonly cells: readonly [Cell, ...Cell[]];
  /** The body as a tree that can be shrunk; null when there is no body, or its text is damaged. */
  readonly tree: unknown;
  readonly request: DraftRequest;
  readonly stream: boolean;
  readonly certainty: Certainty;
  /** Whether a refusal that names a field must name one of `cells`. */
  readonly isNamed: boolean;
  readonly isPrivateLink: boolean;
  /** The damaged places. Without the damage, nothing about the answer would be certain. */
  readonly places: readonly Place[];
  /** The legal body before the damage; null where there is none. */
  readonly sound: unknown;
  /** Whether the legal body is the smallest one, which every reading of the specification accepts. */
  readonly isLeast: boolean;
}

/** The same case with another tree, for shrinking. */
export function withTree(one: FuzzCase, tree: unknown): FuzzCase {
  const body = printBody(tree);
  const { path, method, headers } = one.subject.request(body, one.stream);
  return { ...one, tree, request: { path, method, headers, body } };
}
