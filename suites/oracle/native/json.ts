import { isJsonObject } from '../../values/json.ts';
import { canonicalNumber } from '../exact-json.ts';
import type { CacheHint, PlacedHint } from './view.ts';

/** Helpers of all dialect readers: lossless JSON, members of uncertain type, cache hints. */
export type Json = Readonly<Record<string, unknown>>;

/** Detects numbers that a double may not represent exactly: negative zero, an exponent, or many digits. */
const oddNumber = /(?:^|[\s:,[])-0|\d[eE][-+\d]|[\d.]{16}/;

/**
 * Reads JSON so that values are equal exactly when they mean the same. A number that a double cannot hold becomes
 * an object with its digits, and negative zero becomes zero.
 * @throws SyntaxError when the text is not JSON.
 */
export function readJson(text: string): unknown {
  // A reviver for each value takes ten times as long.
  if (!oddNumber.test(text)) return JSON.parse(text);
  const parse = JSON.parse as (
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ) => unknown;
  return parse(text, (_key, value, { source }) => {
    if (typeof value !== 'number') return value;
    const exact = canonicalNumber(source ?? String(value));
    return exact === canonicalNumber(String(value)) ? value + 0 : { exactNumber: exact };
  });
}

/** Parses tool arguments. An empty or missing text is the empty object; invalid JSON becomes `{ unreadable: text }`. */
export function readArguments(text: unknown): unknown {
  if (text === '' || text === undefined || text === null) return {};
  try {
    return readJson(String(text));
  } catch {
    return { unreadable: text };
  }
}

export function objectOf(value: unknown): Json {
  return isJsonObject(value) ? (value as Json) : {};
}

export function objectsIn(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

export function cacheOf({ cache_control: hint }: Json): CacheHint | null {
  if (hint === undefined || hint === null) return null;
  const { type = null, ttl = null } = objectOf(hint);
  return { type, ttl };
}

/** Every cache hint below a value, in document order. */
export function hintsIn(value: unknown, place = ''): PlacedHint[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => hintsIn(item, `${place}[${index}]`));
  if (value === null || typeof value !== 'object') return [];
  const own = cacheOf(value as Json);
  const below = Object.entries(value).flatMap(([name, inner]) =>
    name === 'cache_control' ? [] : hintsIn(inner, place === '' ? name : `${place}.${name}`),
  );
  return own === null ? below : [{ place, ...own }, ...below];
}
