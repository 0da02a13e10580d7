import { canonicalNumber } from '../oracle/exact-json.ts';
import { isJsonObject, parseJson } from '../values/json.ts';

/** A JSON object in a body. */
export type Body = Record<string, unknown>;

/** The JSON object in a body, or null. */
export function objectIn(body: Buffer): Record<string, unknown> | null {
  const value = parseJson(body.toString('utf8'));
  return isJsonObject(value) ? value : null;
}

/** Matches a number that a double may not represent as written: long, or with an exponent. */
const longNumber = /[\d.]{16}|\d[eE]/;

/** The JSON object in a body, with each number as written, so that it can be printed again; or null. */
export function exactIn(body: Buffer): Record<string, unknown> | null {
  const text = body.toString('utf8');
  const value = objectIn(body);
  return value === null || !longNumber.test(text) ? value : exactBody(text);
}

/** The objects of an array; an empty list for anything else. */
export function objectsIn(value: unknown): Body[] {
  const items: unknown[] = Array.isArray(value) ? value : [];
  return items.filter(
    (item): item is Body => item !== null && typeof item === 'object' && !Array.isArray(item),
  );
}

/** `JSON.rawJSON` exists at run time, but the type library does not know it yet. */
const exactJson = JSON as unknown as {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): Body;
  rawJSON(source: string): unknown;
  isRawJSON(value: unknown): boolean;
};

/**
 * Parses a JSON object so that it prints again unchanged.
 * Numbers that a double cannot hold keep their digits, so a proxy changes only what its mutation changes.
 * @throws SyntaxError when the text is not JSON.
 */
export function exactBody(text: string): Body {
  return exactJson.parse(text, (_key, value, { source = '' }) =>
    typeof value === 'number' && canonicalNumber(source) !== canonicalNumber(String(value))
      ? exactJson.rawJSON(source)
      : value,
  );
}

/**
 * Whether a value from {@link exactBody} is a number that a double cannot hold. Such a value is not a JSON
 * object.
 */
export function isRawNumber(value: unknown): boolean {
  return exactJson.isRawJSON(value);
}
