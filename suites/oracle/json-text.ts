/**
 * A JSON number given by its text, for those that no JavaScript value writes: 10.0, 1e400, 2^63 - 1.
 * It may stand anywhere in a body that goes through JSON.stringify.
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

/** The value of a JSON text that is printed again with every digit that it had. */
export function withExactNumbers(text: string): unknown {
  const parse = JSON.parse as (
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ) => unknown;
  return parse(text, (_key, value, { source = '' }) =>
    typeof value === 'number' ? new JsonText(source) : value,
  );
}

/** A member that is left out altogether. */
export const absent: unique symbol = Symbol('absent');
