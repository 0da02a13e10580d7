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

/** A member that is left out altogether. */
export const absent: unique symbol = Symbol('absent');
