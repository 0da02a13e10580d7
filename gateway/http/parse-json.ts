import { isUtf8 } from 'node:buffer';
import { invalidParam } from '../errors/gateway-error.ts';

/** Maximum nesting of a body: far above any schema, far below what could exhaust the stack. */
export const maxDepth = 512;
/** Maximum number of separators in a body: ten million empty lists must not become a gigabyte of objects. */
const maxSeparators = 1_000_000;

export type JsonObject = Readonly<Record<string, unknown>>;

/** A parsed body in two versions: with ordinary numbers for checks, and with all digits for forwarding. */
export interface ParsedBody {
  readonly value: JsonObject;
  /** The same tree; numbers that a double would change are raw JSON values that serialise to the original digits. */
  readonly exact: JsonObject;
}

/** Parses a body as one UTF-8 JSON object, or rejects it with `invalid_param` and no param. */
export function parseJsonObject(bytes: Buffer): ParsedBody {
  if (!isUtf8(bytes)) throw invalidParam(null, 'The body must be UTF-8.');
  checkSize(bytes);
  const text = bytes.toString('utf8');
  const value = parse(text);
  if (!isObject(value)) throw invalidParam(null, 'The body must be a JSON object.');
  const exact: unknown = hasLongNumbers(text) ? JSON.parse(text, keepDigits) : value;
  return { value, exact: isObject(exact) ? exact : value };
}

/**
 * Parses JSON inside a message like `ParsedBody.exact`: it can be written again without loss. Undefined when the
 * text is not JSON or exceeds the limits of a body.
 */
export function parseExact(text: string): unknown {
  try {
    checkSize(Buffer.from(text));
    return hasLongNumbers(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** JSON as an ordinary value, within the same limits; undefined for anything else. */
export function parseBounded(text: string): unknown {
  try {
    checkSize(Buffer.from(text));
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The object in a JSON text; null for anything else. */
export function parseObjectText(text: string): JsonObject | null {
  const value = parseExact(text);
  return isObject(value) && !isRawNumber(value) ? value : null;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) throw invalidParam(null, 'The body is not valid JSON.');
    throw cause;
  }
}

/** Only numbers with many digits or an exponent can lose precision. */
function hasLongNumbers(text: string): boolean {
  return /\d{16}|\d[eE][+-]?\d/.test(text);
}

function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined || source === String(value)) return value;
  return rawJson(source);
}

/** `JSON.rawJSON` of the JSON source text access proposal, which TypeScript's library does not declare yet. */
function rawJson(source: string): unknown {
  const make: unknown = Reflect.get(JSON, 'rawJSON');
  return typeof make === 'function' ? make(source) : Number(source);
}

function isRawNumber(value: unknown): boolean {
  const isRaw: unknown = Reflect.get(JSON, 'isRawJSON');
  return typeof isRaw === 'function' && isRaw(value) === true;
}

/** Rejects excessive nesting or size before the parser builds anything; strings are skipped at native speed. */
function checkSize(bytes: Buffer): void {
  let depth = 0;
  let separators = 0;
  for (let i = 0; i < bytes.length; i += 1) {
    switch (bytes[i]) {
      case 0x22: // "
        i = endOfString(bytes, i);
        break;
      case 0x5b: // [
      case 0x7b: // {
        depth += 1;
        separators += 1;
        if (depth > maxDepth) throw invalidParam(null, `The body is nested deeper than ${maxDepth} levels.`);
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1;
        break;
      case 0x2c: // ,
        separators += 1;
        break;
    }
    if (separators > maxSeparators) throw invalidParam(null, 'The body holds too many values.');
  }
}

/** Position of the quote that closes the string opened at `start`, or the end of the bytes. */
function endOfString(bytes: Buffer, start: number): number {
  let quote = bytes.indexOf(0x22, start + 1);
  while (quote !== -1) {
    let slashes = 0;
    while (bytes[quote - 1 - slashes] === 0x5c) slashes += 1;
    if (slashes % 2 === 0) return quote;
    quote = bytes.indexOf(0x22, quote + 1);
  }
  return bytes.length;
}
