import { isObject, parseBounded } from '../http/parse-json.ts';

/** A server-sent event: its name and its data lines, joined. */
export interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

/** Parses a stream of server-sent events, however the bytes are split. */
export interface EventParser {
  /** Events completed by these bytes, or null when an unfinished event exceeds the limit. */
  feed(bytes: Uint8Array): ServerEvent[] | null;
  /** The event that the end of the stream cut off before its blank line, if it has data. */
  finish(): ServerEvent[];
}

/** The longest bare JSON, in characters, and how often it is tried before it is given up. */
const maxBare = 65_536;
const maxBareTries = 16;

const eventLine = /^(?:data|event|id|retry|error)?:/;

/**
 * Accepts CR, LF and CRLF, comments, several data lines and a byte order mark. Drops events without data or with
 * blank data: they only keep the connection alive. Some servers send an error as a field of that name, or as bare JSON.
 */
export function createEventParser(maxEventLength: number): EventParser {
  const decoder = new TextDecoder('utf-8');
  /** Pieces of the unfinished line. */
  let line: string[] = [];
  let data: string | null = null;
  let name = '';
  /** The lines so far of JSON that stands in no field. */
  let bare: string | null = null;
  let bareTries = 0;
  let dataLines = 0;
  /** Length of the unfinished event. */
  let length = 0;
  /** The last character was a carriage return: a line feed right after it does not end another line. */
  let afterReturn = false;

  const endEvent = (events: ServerEvent[]): void => {
    if (data !== null && /\S/.test(data)) events.push({ name, data });
    name = '';
    data = null;
    length = 0;
  };
  /** Takes a line of bare JSON, as some servers send their errors. */
  const takeBare = (text: string, events: ServerEvent[]): void => {
    bare = bare === null ? text : `${bare}\n${text}`;
    const mayEnd = text === bare || /^[\]}]/.test(text);
    bareTries = text === bare ? 1 : bareTries + (mayEnd ? 1 : 0);
    if (mayEnd && parseBounded(bare) !== undefined) events.push({ name: '', data: bare });
    // To parse a growing text again and again would take quadratic time, and no error is that long.
    else if (bare.length <= maxBare && bareTries < maxBareTries) return;
    [bare, length] = [null, 0];
  };
  const endLine = (text: string, events: ServerEvent[]): void => {
    // No line of JSON looks like one of an event.
    if (bare !== null && (text === '' || eventLine.test(text))) [bare, length] = [null, text.length];
    if (bare !== null || (data === null && name === '' && text.startsWith('{'))) {
      takeBare(text, events);
      return;
    }
    if (text === '') {
      endEvent(events);
      return;
    }
    const colon = text.indexOf(':');
    const field = colon === -1 ? text : text.slice(0, colon);
    const value =
      colon === -1 ? '' : withoutField(text.slice(text[colon + 1] === ' ' ? colon + 2 : colon + 1));
    if (field === 'data') {
      // A comment that a proxy has made an event keeps the connection alive, too.
      if (data === null && value.startsWith(':')) return;
      // Only a first line is tried: to parse a growing event again and again would take quadratic time.
      if (data !== null && dataLines === 1 && isAnother(data, value)) {
        events.push({ name, data });
        length = text.length;
        data = null;
      }
      dataLines = data === null ? 1 : dataLines + 1;
      data = data === null ? value : `${data}\n${value}`;
    } else if (field === 'event') name = value;
    else if (field === 'error' && value.startsWith('{')) events.push({ name: 'error', data: value });
    // Comments and other fields carry nothing and do not count, however many there are.
    else length -= text.length;
  };
  const take = (text: string): ServerEvent[] => {
    const events: ServerEvent[] = [];
    let start = afterReturn && text.startsWith('\n') ? 1 : 0;
    if (text !== '') afterReturn = text.endsWith('\r');
    const lineEnd = lineEndsIn(text);
    for (let end = lineEnd(start); end !== -1; end = lineEnd(start)) {
      const rest = text.slice(start, end);
      length += end - start;
      const whole = line.length === 0 ? rest : line.join('') + rest;
      if (line.length > 0) line = [];
      endLine(whole, events);
      start = end + (text.startsWith('\r\n', end) ? 2 : 1);
    }
    if (start < text.length) {
      line.push(text.slice(start));
      length += text.length - start;
    }
    return events;
  };
  return {
    feed: (bytes) => {
      const events = take(decoder.decode(bytes, { stream: true }));
      return length > maxEventLength ? null : events;
    },
    finish: () => take(`${decoder.decode()}\n\n`),
  };
}

/** Some servers write the name of the field twice. */
function withoutField(value: string): string {
  return value.startsWith('data:') ? value.slice('data:'.length).trimStart() : value;
}

/** Whether a data line begins another event: some servers end their events with a single line end. */
function isAnother(data: string, value: string): boolean {
  return (
    (value.startsWith('{') || value === '[DONE]') && data.startsWith('{') && isObject(parseBounded(data))
  );
}

/** Finds the next end of a line. Without carriage returns, which are rare, it uses a plain search. */
function lineEndsIn(text: string): (from: number) => number {
  if (!text.includes('\r')) return (from) => text.indexOf('\n', from);
  const any = /[\r\n]/g;
  return (from) => {
    any.lastIndex = from;
    return any.exec(text)?.index ?? -1;
  };
}
