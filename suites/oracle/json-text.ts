/**
 * A JSON number given by its text, for numbers that JavaScript cannot print: 10.0, 1e400, 2^63 - 1. It may be used
 * anywhere in a body that goes through JSON.stringify.
 */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): unknown {
    return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(this.text);
  }
}

/** The value of a JSON text, which prints again with all its original digits. */
export function withExactNumbers(text: string): unknown {
  const parse = JSON.parse as (
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ) => unknown;
  return parse(text, (_key, value, { source = '' }) =>
    typeof value === 'number' ? new JsonText(source) : value,
  );
}

/** Marks an omitted member. */
export const absent: unique symbol = Symbol('absent');
