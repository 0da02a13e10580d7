import { canonicalNumber } from '../oracle/exact-json.ts';

/** A JSON object on the wire. */
export type Body = Record<string, unknown>;

/** The JSON object in a body, or null. */
export function objectIn(body: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** The objects of an array; none where there is no array. */
export function objectsIn(value: unknown): Body[] {
  const items: unknown[] = Array.isArray(value) ? value : [];
  return items.filter(
    (item): item is Body => item !== null && typeof item === 'object' && !Array.isArray(item),
  );
}

/** What JSON can by now, and its types do not know yet. */
const exactJson = JSON as unknown as {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): Body;
  rawJSON(source: string): unknown;
  isRawJSON(value: unknown): boolean;
};

/**
 * A JSON object that prints again as it was: numbers that a double cannot hold keep their digits, so that what a proxy
 * changes is the only difference.
 * @throws SyntaxError when the text is not JSON.
 */
export function exactBody(text: string): Body {
  return exactJson.parse(text, (_key, value, { source = '' }) =>
    typeof value === 'number' && canonicalNumber(source) !== canonicalNumber(String(value))
      ? exactJson.rawJSON(source)
      : value,
  );
}

/** Whether a value read by {@link exactBody} is a number that a double cannot hold, and no object. */
export function isRawNumber(value: unknown): boolean {
  return exactJson.isRawJSON(value);
}
