import { createHash } from 'node:crypto';
import type { z } from 'zod';

/** The body as JSON; undefined if it is not JSON. */
export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** A hash of a body's content. Equal JSON has the same hash in any order of members. */
export function bodyFingerprint(body: Buffer): string {
  const said = JSON.stringify(parseJson(body), (_name, value: unknown) =>
    isObject(value) ? Object.fromEntries(sortedMembers(value)) : value,
  );
  return createHash('sha256')
    .update(said ?? '')
    .digest('hex');
}

/** Names and values, sorted by name. */
export function sortedMembers(given: object): [name: string, value: unknown][] {
  return Object.entries(given).toSorted(([one], [other]) => (one < other ? -1 : 1));
}

/** Whether a body, validated or not, asks for a stream. */
export function wantsStream(body: Buffer): boolean {
  // Avoids a second parse: most bodies do not mention a stream, and the native checks parse them anyway.
  if (!body.includes('"stream"')) return false;
  return valueAt(parseJson(body), ['stream']) === true;
}

/** An object of JSON: neither null nor an array. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at the path, or undefined. A schema may report a missing member like one of a wrong type. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (isObject(at) || Array.isArray(at) ? Reflect.get(at, key) : undefined),
    value,
  );
}

/** In a union, selects the error of the branch that accepts such values: `messages[0].content[1].text`. */
export function deepestIssue(issue: z.core.$ZodIssue | undefined): z.core.$ZodIssue | undefined {
  if (issue?.code !== 'invalid_union') return issue;
  const [deepest] = issue.errors
    .flatMap((branch) => branch.slice(0, 1))
    .filter((inner) => inner.path.length > 0 || inner.code !== 'invalid_type')
    .map((inner) => deepestIssue({ ...inner, path: [...issue.path, ...inner.path] }))
    .filter((inner) => inner !== undefined)
    .toSorted((one, other) => other.path.length - one.path.length);
  return deepest ?? issue;
}
