import type { z } from 'zod';
import { type GatewayError, invalidParam } from '../errors/gateway-error.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

interface Fault {
  readonly path: Path;
  readonly rule: string;
}

/** Field names come from the caller; longer ones are cut in the answer. */
export const maxParamLength = 200;

/** The document as its schema parses it; throws an error that names the first invalid field. */
export function parse<Schema extends z.ZodType>(document: unknown, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(document);
  if (!parsed.success) throw firstIssue(parsed.error, document);
  return parsed.data;
}

/** The error for a request that a schema rejected: it names the first invalid field in document order. */
export function firstIssue(error: z.ZodError, document: unknown): GatewayError {
  const faults = error.issues.flatMap((issue) => faultsOf(issue, []));
  const ranks: Ranks = new Map();
  const placed = faults.map((fault) => ({ fault, place: placeOf(document, fault.path, ranks) }));
  placed.sort((one, other) => comparePlaces(one.place, other.place));
  const first = placed[0]?.fault ?? { path: [], rule: 'is not valid' };
  const param = bracketPath(first.path).slice(0, maxParamLength);
  const rule = isMissing(document, first.path) ? 'is required' : first.rule;
  return invalidParam(param || null, `${param || 'The body'} ${rule}.`);
}

/** A path as callers write it: `messages[1].tool_call_id` (B-05). */
export function bracketPath(path: Path): string {
  return path
    .map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i === 0 ? '' : '.'}${String(key)}`))
    .join('');
}

function faultsOf(issue: Issue, prefix: Path): Fault[] {
  const path = [...prefix, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], rule: 'is not a known field' }));
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    // The intended branch accepts the value's outer type, so its errors lie inside the value.
    const meant = issue.errors.find(
      (branch) => branch.length > 0 && branch.every((inner) => isInside(inner)),
    );
    if (meant !== undefined) return meant.flatMap((inner) => faultsOf(inner, path));
  }
  return [{ path, rule: issue.message }];
}

function isInside(issue: Issue): boolean {
  return issue.path.length > 0 || issue.code === 'unrecognized_keys';
}

/** Positions of an object's keys, cached so that a body with many errors costs no more than its size. */
type Ranks = Map<object, ReadonlyMap<string, number>>;

/** Positions of the keys along a path in the document; a missing key ranks after all present ones. */
function placeOf(document: unknown, path: Path, ranks: Ranks): number[] {
  const place: number[] = [];
  let node = document;
  for (const key of path) {
    const at = rankOf(node, key, ranks);
    place.push(at ?? Number.MAX_SAFE_INTEGER);
    if (at === null) break;
    node = Reflect.get(Object(node), key);
  }
  return place;
}

function rankOf(node: unknown, key: PropertyKey, ranks: Ranks): number | null {
  if (typeof node !== 'object' || node === null) return null;
  if (Array.isArray(node)) return typeof key === 'number' && key < node.length ? key : null;
  const known = ranks.get(node) ?? new Map(Object.keys(node).map((name, at) => [name, at]));
  ranks.set(node, known);
  return known.get(String(key)) ?? null;
}

function comparePlaces(one: readonly number[], other: readonly number[]): number {
  for (let i = 0; i < Math.min(one.length, other.length); i += 1) {
    const difference = (one[i] ?? 0) - (other[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

function isMissing(document: unknown, path: Path): boolean {
  let node = document;
  for (const key of path) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return true;
    node = Reflect.get(node, key);
  }
  return false;
}
