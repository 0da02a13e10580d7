import { type GatewayError, invalidParam } from '../errors/gateway-error.ts';

/** Maximum nesting of a body: far above any schema, far below what could exhaust the stack. */
export const maxDepth = 512;
/**
 * Maximum number of values in a body, and of entries in a list or object. No context window needs more, and a scan still
 * takes no noticeable pause.
 */
export const maxValues = 100_000;
const maxEntries = 10_000;
/** Maximum length of a number: far more digits than any needs. */
const maxNumberLength = 1_000;
/** Maximum number of values whose digits are kept separately. */
const maxOddNumbers = 20_000;
/** Maximum number of escapes in a body: enough to write the largest context window entirely in escapes. */
export const maxEscapes = 2_000_000;

/** Work between two pauses, counted in bytes that are read one by one. */
const bytesPerTurn = 256 * 1024;
/** This many bytes skipped by the native search cost as much as one byte read. */
const skipFactor = 16;

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const signs = { quote, backslash } as const;
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** A number whose digits would change when written again: its start and end. */
export type Span = readonly [from: number, to: number];

/**
 * Scans the bytes of a JSON text before it is parsed, and yields where other requests may run. Rejects a body at the first
 * value beyond a limit, and names the top-level member with that value. Returns the numbers whose digits would change when
 * written again.
 */
export function* scanJson(bytes: Buffer): Generator<void, readonly Span[]> {
  /** The number of entries so far, by depth. */
  const entries: number[] = [];
  const oddNumbers: Span[] = [];
  const texts = new TextScan(bytes);
  /** Position of the name of the current top-level member; -1 outside of any. */
  let memberAt = -1;
  const refusal = (message: string): GatewayError => invalidParam(nameAt(bytes, memberAt), message);
  let [depth, values, work] = [0, 0, 0];
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i] ?? 0;
    work += 1;
    if (byte === quote) {
      texts.work += work;
      i = texts.plainEndOf(i) ?? (yield* texts.endOf(i));
      work = texts.work;
      texts.work = 0;
      if (texts.escapes > maxEscapes)
        throw refusal(`The texts of the body hold more than ${maxEscapes} escapes.`);
    } else if (byte === openList || byte === openObject) {
      depth += 1;
      values += 1;
      if (depth > maxDepth) throw refusal(`The body is nested deeper than ${maxDepth} levels.`);
      entries[depth] = 1;
      if (depth === 1 && byte === openObject) memberAt = i + 1;
    } else if (byte === closeList || byte === closeObject) {
      depth = Math.max(0, depth - 1);
    } else if (byte === comma) {
      values += 1;
      entries[depth] = (entries[depth] ?? 0) + 1;
      const isFull = (entries[depth] ?? 0) > maxEntries;
      // With too many members, no single member is at fault.
      if (depth === 1 && memberAt >= 0) memberAt = isFull ? -1 : i + 1;
      if (isFull) throw refusal(`A list or an object of the body has more than ${maxEntries} entries.`);
    } else if (byte >= 0x30 && byte <= 0x39) {
      const end = endOfNumber(bytes, i);
      if (end - i > maxNumberLength) throw refusal('A number of the body is too long.');
      if (isOdd(bytes, i, end)) {
        oddNumbers.push([bytes[i - 1] === 0x2d ? i - 1 : i, end]);
        if (oddNumbers.length > maxOddNumbers)
          throw refusal(`The body holds more than ${maxOddNumbers} numbers of many digits.`);
      }
      work += end - i;
      i = end - 1;
    }
    if (values > maxValues) throw refusal(`The body holds more than ${maxValues} values.`);
    if (work >= bytesPerTurn) {
      work = 0;
      yield;
    }
  }
  return oddNumbers;
}

/** Finds the ends of strings, and counts their escapes. */
class TextScan {
  /** The cost of strings since the last pause. */
  work = 0;
  /** The number of escapes so far. */
  escapes = 0;
  readonly #bytes: Buffer;
  /** Cached positions of the next quote and the next backslash. */
  readonly #next = { quote: -1, backslash: -1 };

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Position of the quote that closes the string opened at `start`, or the end of the bytes; null if it has escapes. */
  plainEndOf(start: number): number | null {
    const end = this.#find('quote', start + 1);
    return this.#find('backslash', start + 1) >= end ? end : null;
  }

  /**
   * Position of the closing quote of the string opened at `start`, or the end of the bytes. Stops early at one escape too
   * many.
   */
  *endOf(start: number): Generator<void, number> {
    let at = start + 1;
    for (;;) {
      const end = this.#find('quote', at);
      const escaped = this.#find('backslash', at);
      if (escaped >= end) return end;
      at = this.#afterEscapes(escaped);
      if (this.escapes > maxEscapes) return at;
      if (this.work < bytesPerTurn) continue;
      this.work = 0;
      yield;
    }
  }

  /** Cached, so that each byte is searched at most once per sign. */
  #find(sign: keyof typeof signs, from: number): number {
    const known = this.#next[sign];
    if (known >= from) return known;
    const found = this.#bytes.indexOf(signs[sign], from);
    const to = found === -1 ? this.#bytes.length : found;
    this.work += 1 + (to - from) / skipFactor;
    this.#next[sign] = to;
    return to;
  }

  /** Position after an escape and all that follow closely. Reading byte by byte is cheaper there than a search for each. */
  #afterEscapes(first: number): number {
    const near = 32;
    const most = first + bytesPerTurn;
    let [at, last] = [first, first];
    while (at < this.#bytes.length && at < most && at - last < near && this.#bytes[at] !== quote) {
      if (this.#bytes[at] === backslash) {
        this.escapes += 1;
        if (this.escapes > maxEscapes) break;
        last = at;
        at += 1;
      }
      at += 1;
    }
    this.work += at - first;
    return at;
  }
}

/** The member name at this position, if a field could have it. */
function nameAt(bytes: Buffer, at: number): string | null {
  const [, name = null] =
    at < 0 ? [] : (/^\s*"(\w{1,64})"\s*:/.exec(bytes.toString('latin1', at, at + 200)) ?? []);
  return name;
}

function endOfNumber(bytes: Buffer, start: number): number {
  let end = start + 1;
  for (; end < bytes.length && end - start <= maxNumberLength; end += 1) {
    const byte = bytes[end] ?? 0;
    const isPart = (byte >= 0x30 && byte <= 0x39) || byte === 0x2e || isExponent(byte) || isSign(byte);
    if (!isPart) break;
  }
  return end;
}

/** Only numbers with many digits, an exponent or a trailing zero in the fraction change when written again. */
function isOdd(bytes: Buffer, start: number, end: number): boolean {
  if (end - start >= 16) return true;
  let hasPoint = false;
  for (let i = start; i < end; i += 1) {
    const byte = bytes[i] ?? 0;
    if (isExponent(byte)) return true;
    if (byte === 0x2e) hasPoint = true;
  }
  return hasPoint && bytes[end - 1] === 0x30;
}

function isExponent(byte: number): boolean {
  return byte === 0x65 || byte === 0x45;
}

function isSign(byte: number): boolean {
  return byte === 0x2b || byte === 0x2d;
}
