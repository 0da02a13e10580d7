import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { invalidParam } from '../errors/gateway-error.ts';
import { type Span, scanJson } from './json-bounds.ts';
import { inTurns, nextTurn, smallBytes } from './next-turn.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** A parsed body in two versions: with ordinary numbers for checks, and with all digits for forwarding. */
export interface ParsedBody {
  readonly value: JsonObject;
  /** The same tree; numbers that a double would change are raw JSON values that serialise to the original digits. */
  readonly exact: JsonObject;
}

/** Parses a body as one UTF-8 JSON object, or rejects it with `invalid_param` and no param. */
export function parseJsonObject(bytes: Buffer): ParsedBody {
  return inOneTurn(parsing(bytes));
}

/** A body whose further stages may pause, so that other requests can run. */
export interface PacedBody extends ParsedBody {
  /** Null for a small body, which needs no pauses. */
  readonly pause: (() => Promise<void>) | null;
}

/** Parses like `parseJsonObject`, with a pause after each piece of work on a large body. */
export async function parseInTurns(bytes: Buffer, turn = nextTurn): Promise<PacedBody> {
  const { length } = bytes;
  if (length <= smallBytes) return { ...inOneTurn(parsing(bytes)), pause: null };
  const pause = (): Promise<void> => turn(length);
  return { ...(await inTurns(parsing(bytes), pause)), pause };
}

/** Runs a piece of work on a body, after a pause if the body is large. */
export function inTurn<Result>(
  { pause }: PacedBody,
  work: () => Result | Promise<Result>,
): Result | Promise<Result> {
  return pause === null ? work() : pause().then(work);
}

function* parsing(bytes: Buffer): Generator<void, ParsedBody> {
  if (!isUtf8(bytes)) throw invalidParam(null, 'The body must be UTF-8.');
  const oddNumbers = yield* scanJson(bytes);
  const text = bytes.toString('utf8');
  yield;
  const value = parse(text);
  if (!isObject(value)) throw invalidParam(null, 'The body must be a JSON object.');
  if (oddNumbers.length === 0) return { value, exact: value };
  yield;
  const exact = withDigits(bytes, oddNumbers);
  return { value, exact: isObject(exact) ? exact : value };
}

/**
 * Parses JSON inside a message like `ParsedBody.exact`: it can be written again without loss. Undefined when the
 * text is not JSON or exceeds the limits of a body.
 */
export function parseExact(text: string): unknown {
  try {
    const bytes = Buffer.from(text);
    const oddNumbers = inOneTurn(scanJson(bytes));
    const value: unknown = JSON.parse(text);
    return oddNumbers.length === 0 ? value : withDigits(bytes, oddNumbers);
  } catch {
    return undefined;
  }
}

/** JSON as an ordinary value, within the same limits; undefined for anything else. */
export function parseBounded(text: string): unknown {
  try {
    inOneTurn(scanJson(Buffer.from(text)));
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

function inOneTurn<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** Marks numbers among strings. Callers cannot know it, so none of their strings starts with it. */
const mark = randomUUID();

/**
 * Parses a valid text and keeps the digits of its odd numbers. A reviver would be called for every value, a hundred times
 * slower than the parser.
 */
function withDigits(bytes: Buffer, oddNumbers: readonly Span[]): unknown {
  const pieces: Buffer[] = [];
  let at = 0;
  for (const [from, to] of oddNumbers) {
    pieces.push(bytes.subarray(at, from), Buffer.from(`"${mark}${bytes.toString('latin1', from, to)}"`));
    at = to;
  }
  const marked: unknown = JSON.parse(Buffer.concat([...pieces, bytes.subarray(at)]).toString('utf8'));
  return withNumbers(marked);
}

function withNumbers(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith(mark) ? numberOf(value.slice(mark.length)) : value;
  if (Array.isArray(value)) return value.map(withNumbers);
  if (!isObject(value)) return value;
  for (const name of Object.keys(value)) {
    const one = value[name];
    const other = withNumbers(one);
    // An assignment to `__proto__` would set the prototype.
    if (other !== one) Object.defineProperty(value, name, { value: other, ...ordinary });
  }
  return value;
}

const ordinary = { enumerable: true, writable: true, configurable: true };

function numberOf(source: string): unknown {
  return source === String(Number(source)) ? Number(source) : rawJson(source);
}

/** `JSON.rawJSON` of the JSON source text access proposal, which TypeScript's library does not declare yet. */
function rawJson(source: string): unknown {
  const make: unknown = Reflect.get(JSON, 'rawJSON');
  return typeof make === 'function' ? make(source) : Number(source);
}

/** Whether a value of an exact tree is a number with all its digits. */
export function isRawNumber(value: unknown): boolean {
  const isRaw: unknown = Reflect.get(JSON, 'isRawJSON');
  return typeof isRaw === 'function' && isRaw(value) === true;
}
