import type { Frame, NativeAnswer } from '../../answers/native-answer.ts';
import { parseArguments } from '../../providers/composition/arguments.ts';
import { isJsonObject, type JsonObject } from './json-path.ts';

/** One event of a stream, or the body of a plain answer. */
export interface NativeEvent {
  /** The event name; null in dialects without event names. */
  readonly name: string | null;
  /** The parsed JSON; a string when the data is not JSON. */
  readonly data: JsonObject | string;
  /** The field of the event that has the data, or its name twice. */
  readonly field?: 'data' | 'error' | 'data: data';
}

/** A frame as parsed events instead of bytes. */
export interface OpenFrame {
  readonly label: string;
  readonly dueMs: number;
  readonly events: readonly NativeEvent[];
}

/** How JSON is framed: as the whole body, as server-sent events, or as the elements of one array. */
export type Framing = 'body' | 'events' | 'elements';

export function framingOf({ call, frames }: NativeAnswer): Framing {
  if (call === 'plain') return 'body';
  // The content type does not decide, because a script may replace it.
  const first = frames.find(({ bytes }) => bytes.length > 0)?.bytes.toString('latin1', 0, 1);
  return first === '[' ? 'elements' : 'events';
}

/** Parses the frames of a simulator's own answer. */
export function openAnswer(given: NativeAnswer): OpenFrame[] {
  const framing = framingOf(given);
  return given.frames.map(({ label, dueMs, bytes }) => ({
    label,
    dueMs,
    events: readEvents(bytes.toString('utf8'), framing),
  }));
}

/** The answer with other frames, serialised as the dialect does. */
export function closeAnswer(
  given: NativeAnswer,
  frames: readonly OpenFrame[],
  framing = framingOf(given),
): NativeAnswer {
  switch (framing) {
    case 'events':
      return withFrames(given, frames, (frame) =>
        frame.events.map((event) => writeEvent(event, lineEndOf(given))),
      );
    case 'elements':
      return closeElements(given, frames);
    case 'body': {
      const isPretty = given.frames.some(({ bytes }) => bytes.includes('\n'));
      return withFrames(given, frames, (frame) => frame.events.map((event) => writeBody(event, isPretty)));
    }
  }
}

/** The dialect's own line end in a stream. */
export function lineEndOf({ dialect }: Pick<NativeAnswer, 'dialect'>): string {
  return dialect === 'generate-content' ? '\r\n' : '\n';
}

export function writeEvent({ name, data, field = 'data' }: NativeEvent, lineEnd: string): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return `${name === null ? '' : `event: ${name}${lineEnd}`}${field}: ${text}${lineEnd}${lineEnd}`;
}

function readEvents(text: string, framing: Framing): NativeEvent[] {
  if (framing === 'body') return [{ name: null, data: readData(text) }];
  if (framing === 'elements') {
    const element = text.replace(/^\s*[[,]?\s*|\s*\]?\s*$/g, '');
    return element === '' ? [] : [{ name: null, data: readData(element) }];
  }
  return text
    .split(/\r?\n\r?\n/)
    .filter((block) => block !== '')
    .map((block) => ({
      name: /^event: ([^\r\n]*)/m.exec(block)?.[1] ?? null,
      data: readData(/^data: ([^\r\n]*)/m.exec(block)?.[1] ?? ''),
    }));
}

function readData(text: string): JsonObject | string {
  // `JSON.parse` would change the digits of numbers in the arguments of a call.
  const value = parseArguments(text);
  return isJsonObject(value) ? value : text;
}

function writeBody({ data }: NativeEvent, isPretty: boolean): string {
  if (typeof data === 'string') return data;
  return isPretty ? `${JSON.stringify(data, null, 2)}\n` : JSON.stringify(data);
}

/** Brackets and commas depend on the position of an element, not on the element itself. */
function closeElements(given: NativeAnswer, frames: readonly OpenFrame[]): NativeAnswer {
  let isFirst = true;
  return withFrames(given, frames, ({ events, label }) => {
    const elements = events.map(({ data }) => {
      const opening = isFirst ? '[' : '\n,\r\n';
      isFirst = false;
      return `${opening}${JSON.stringify(data, null, 2)}`;
    });
    return label === 'done' ? [...elements, '\n]\n'] : elements;
  });
}

function withFrames(
  given: NativeAnswer,
  frames: readonly OpenFrame[],
  write: (frame: OpenFrame) => readonly string[],
): NativeAnswer {
  const written = frames.map((frame): Frame => {
    const { label, dueMs } = frame;
    return { label, dueMs, bytes: Buffer.from(write(frame).join('')) };
  });
  return { ...given, frames: written };
}
