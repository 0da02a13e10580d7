import { exactJson } from '../exact-json.ts';

/** Where two JSON texts differ, as a path below the body, with both values. */
export interface JsonDifference {
  readonly path: string;
  readonly expected: string;
  readonly actual: string;
}

/** The place of a difference without its numbers: one defect differs in it wherever it shows. */
export function memberOf(path: string): string {
  return path.replaceAll(/\[\d+\]/g, '[]');
}

/**
 * The first member in which two bodies differ by exact value; null when none does. Numbers are compared digit by
 * digit (1e2 and 100 are the same). The order matters in arrays, not in objects. A missing member counts as
 * `(absent)`.
 * @throws SyntaxError when a text is not JSON.
 */
export function memberDifference(sent: string, seen: string, name: string): JsonDifference | null {
  return difference(member(exactJson(sent), name), member(exactJson(seen), name), name);
}

/** The first difference of two whole values. */
export function valueDifference(sent: unknown, seen: unknown, name: string): JsonDifference | null {
  return difference(exactJson(JSON.stringify(sent)), exactJson(JSON.stringify(seen ?? null)), name);
}

const absent = Symbol('absent');

function difference(sent: unknown, seen: unknown, path: string): JsonDifference | null {
  if (Array.isArray(sent) && Array.isArray(seen)) {
    const length = Math.max(sent.length, seen.length);
    return firstOf(
      Array.from({ length }, (_, at) => at),
      (at) => difference(at in sent ? sent[at] : absent, at in seen ? seen[at] : absent, `${path}[${at}]`),
    );
  }
  const [ours, theirs] = [membersOf(sent), membersOf(seen)];
  if (ours !== null && theirs !== null) {
    const names = [...new Set([...ours.keys(), ...theirs.keys()])];
    return firstOf(names, (name) =>
      difference(
        ours.has(name) ? ours.get(name) : absent,
        theirs.has(name) ? theirs.get(name) : absent,
        `${path}.${name}`,
      ),
    );
  }
  if (sent === absent && seen === absent) return null;
  const [expected, actual] = [shown(sent), shown(seen)];
  return sent !== absent && seen !== absent && JSON.stringify(sent) === JSON.stringify(seen)
    ? null
    : { path, expected, actual };
}

function firstOf<T>(items: readonly T[], find: (item: T) => JsonDifference | null): JsonDifference | null {
  for (const item of items) {
    const found = find(item);
    if (found !== null) return found;
  }
  return null;
}

function member(value: unknown, name: string): unknown {
  const members = membersOf(value);
  return members?.has(name) ? members.get(name) : absent;
}

/** The members of an object as `exactJson` reads it; null for every other value. */
function membersOf(value: unknown): ReadonlyMap<string, unknown> | null {
  if (value === null || typeof value !== 'object' || Array.isArray(value) || !('members' in value))
    return null;
  return new Map(value.members as [string, unknown][]);
}

function shown(value: unknown): string {
  if (value === absent) return '(absent)';
  const text = JSON.stringify(value);
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
