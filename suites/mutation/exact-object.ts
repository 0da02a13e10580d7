import { canonicalNumber } from '../oracle/exact-json.ts';

const json = JSON as unknown as {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): Record<string, unknown>;
  rawJSON(source: string): unknown;
  isRawJSON(value: unknown): boolean;
};

/**
 * A JSON object that prints again as it was: numbers that a double cannot hold keep their digits, so that what a proxy
 * changes is the only difference.
 * @throws SyntaxError when the text is not JSON.
 */
export function exactBody(text: string): Record<string, unknown> {
  return json.parse(text, (_key, value, { source = '' }) =>
    typeof value === 'number' && canonicalNumber(source) !== canonicalNumber(String(value))
      ? json.rawJSON(source)
      : value,
  );
}

/** Whether a value read by {@link exactBody} is a number that a double cannot hold, and no object. */
export function isRawNumber(value: unknown): boolean {
  return json.isRawJSON(value);
}
