import type { EventParser, ServerEvent } from './event-parser.ts';

const quote = 0x22;
const backslash = 0x5c;
const open = 0x7b;
const close = 0x7d;
/** What may separate the objects: white space, commas, the array's brackets, a byte order mark. */
const between: ReadonlySet<number> = new Set(Buffer.from(' \t\r\n,[]\uFEFF'));

/**
 * Cuts a JSON array of objects, or a single object, into one event per object while the bytes arrive. Streams have
 * this form when they are not sent as server-sent events (fault S31). JSON's delimiters are ASCII, so bytes can be
 * cut without decoding. Anything but an object becomes an unreadable event.
 */
export function createArrayParser(maxEventLength: number): EventParser {
  let pieces: Uint8Array[] = [];
  let length = 0;
  let depth = 0;
  let isText = false;
  let isEscaped = false;

  const keep = (bytes: Uint8Array): void => {
    if (bytes.length === 0) return;
    // A copy: the buffer of the connection may be reused.
    pieces.push(Uint8Array.from(bytes));
    length += bytes.length;
  };
  const endEvent = (): ServerEvent => {
    const data = Buffer.concat(pieces).toString('utf8');
    pieces = [];
    length = 0;
    return { name: '', data };
  };
  /** Follows the bytes of an object; true for its last byte. */
  const endsObject = (byte: number): boolean => {
    if (isText) {
      if (isEscaped) isEscaped = false;
      else if (byte === backslash) isEscaped = true;
      else if (byte === quote) isText = false;
      return false;
    }
    if (byte === quote) isText = true;
    else if (byte === open) depth += 1;
    else if (byte === close) depth -= 1;
    return depth === 0;
  };
  return {
    feed: (bytes) => {
      const events: ServerEvent[] = [];
      let start = 0;
      for (let at = 0; at < bytes.length; at += 1) {
        const byte = bytes[at] ?? 0;
        const isBetween = depth === 0 && byte !== open;
        if (isBetween && between.has(byte)) {
          start = at + 1;
        } else if (isBetween || endsObject(byte)) {
          keep(bytes.subarray(start, at + 1));
          events.push(endEvent());
          start = at + 1;
        }
      }
      keep(bytes.subarray(start));
      return length > maxEventLength ? null : events;
    },
    finish: () => (length > 0 ? [endEvent()] : []),
  };
}
