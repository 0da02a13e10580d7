import { JsonText } from '../../oracle/json-text.ts';

/** The types of JSON values; null stands for text that is not JSON. */
export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'list' | 'object';

/** Bytes that are written into a body unchanged, because JSON.stringify cannot print them or would correct them. */
export class RawBytes {
  readonly bytes: Buffer;
  /** The type that a parser reads; null when every parser must reject the bytes. */
  readonly type: JsonType | null;

  constructor(bytes: string | Buffer, type: JsonType | null) {
    this.bytes = Buffer.from(bytes as string);
    this.type = type;
  }
}

/** An object whose members are printed as listed, with duplicate names or names of raw bytes. */
export class MemberList {
  readonly members: readonly (readonly [name: string | RawBytes, value: unknown])[];

  constructor(members: readonly (readonly [string | RawBytes, unknown])[]) {
    this.members = members;
  }
}

/** The JSON type of a value of a body, in any representation. */
export function jsonTypeOf(value: unknown): JsonType | null {
  if (value instanceof RawBytes) return value.type;
  if (value instanceof MemberList) return 'object';
  if (value instanceof JsonText) return 'number';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  const type = typeof value;
  return type === 'boolean' || type === 'number' || type === 'string' || type === 'object' ? type : null;
}

/** Whether a body has more than `most` characters, not counting punctuation; found without printing it. */
export function isLarger(body: unknown, most: number): boolean {
  let left = most;
  const take = (value: unknown): boolean => {
    left -= 1;
    if (left < 0) return true;
    if (typeof value === 'string') left -= value.length;
    else if (value instanceof RawBytes) left -= value.bytes.length;
    else if (Array.isArray(value)) return value.some(take);
    else if (value instanceof MemberList) return value.members.some(([name, own]) => take(name) || take(own));
    else if (value !== null && typeof value === 'object' && !(value instanceof JsonText))
      return Object.entries(value).some(([name, own]) => take(name) || take(own));
    return left < 0;
  };
  return take(body);
}

/** The bytes of a body: JSON, except for raw bytes in it. */
export function printBody(value: unknown): Buffer {
  const printer = new Printer();
  printer.print(value);
  return printer.bytes();
}

/** Collects adjacent text in one string, because bodies have tens of thousands of items. */
class Printer {
  readonly #pieces: Buffer[] = [];
  #text = '';

  bytes(): Buffer {
    const text = Buffer.from(this.#text);
    return this.#pieces.length === 0 ? text : Buffer.concat([...this.#pieces, text]);
  }

  print(value: unknown): void {
    if (value instanceof RawBytes) this.#raw(value);
    else if (value instanceof MemberList) this.#object(value.members);
    else if (Array.isArray(value)) this.#list(value);
    else if (value !== null && typeof value === 'object' && !(value instanceof JsonText))
      this.#object(Object.entries(value));
    else this.#text += JSON.stringify(value) ?? 'null';
  }

  #raw({ bytes }: RawBytes): void {
    this.#pieces.push(Buffer.from(this.#text), bytes);
    this.#text = '';
  }

  #list(items: readonly unknown[]): void {
    this.#text += '[';
    for (const [at, item] of items.entries()) {
      if (at > 0) this.#text += ',';
      this.print(item);
    }
    this.#text += ']';
  }

  #object(members: MemberList['members']): void {
    this.#text += '{';
    for (const [at, [name, value]] of members.entries()) {
      if (at > 0) this.#text += ',';
      if (name instanceof RawBytes) this.#raw(name);
      else this.#text += JSON.stringify(name);
      this.#text += ':';
      this.print(value);
    }
    this.#text += '}';
  }
}
