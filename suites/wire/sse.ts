/** One event of a stream: its data, and the byte offset where it ended. */
export interface SseEvent {
  readonly data: string;
  readonly event: string | null;
  readonly endOffset: number;
}

/** Deviations of a stream from the literal form `data: <payload>` + blank line that SSE allows. */
export const deviations = ['comment', 'crlf', 'no-space', 'other-field', 'multi-line', 'bom'] as const;
export type Deviation = (typeof deviations)[number];

export interface SseReading {
  readonly events: readonly SseEvent[];
  readonly deviations: readonly Deviation[];
  /** Parts that belong to no event: bytes that are not UTF-8, lines that are not fields, an event without its blank line. */
  readonly faults: readonly string[];
}

/**
 * Parses a whole body strictly by the grammar of Server-Sent Events. It reports what a lenient parser forgives.
 */
export function readSse(body: Buffer): SseReading {
  const found = new Set<Deviation>();
  const faults: string[] = [];
  let text = body.toString('utf8');
  if (!Buffer.from(text, 'utf8').equals(body)) faults.push('the stream is not valid UTF-8');
  let offset = 0;
  if (text.startsWith('\uFEFF')) {
    found.add('bom');
    text = text.slice(1);
    offset = 3;
  }
  const events: SseEvent[] = [];
  let data: string[] = [];
  let event: string | null = null;
  for (const { line, ending } of splitLines(text)) {
    offset += Buffer.byteLength(line + ending);
    if (ending.startsWith('\r')) found.add('crlf');
    if (line === '') {
      if (ending === '') continue;
      if (data.length > 0) events.push({ data: data.join('\n'), event, endOffset: offset });
      data = [];
      event = null;
      continue;
    }
    if (line.startsWith(':')) {
      found.add('comment');
      continue;
    }
    const { field, value, spaced } = splitField(line);
    if (field === 'data') {
      if (!spaced) found.add('no-space');
      if (data.length > 0) found.add('multi-line');
      data.push(value);
    } else if (field === 'event' || field === 'id' || field === 'retry') {
      found.add('other-field');
      if (field === 'event') event = value;
    } else {
      faults.push(`a line that is not an SSE field: ${JSON.stringify(line.slice(0, 80))}`);
    }
  }
  if (data.length > 0)
    faults.push(`the last event has no blank line after it: ${JSON.stringify(data.join('\n').slice(0, 80))}`);
  return { events, deviations: [...found], faults };
}

function* splitLines(text: string): Generator<{ line: string; ending: string }> {
  let start = 0;
  for (const match of text.matchAll(/\r\n|\n|\r/g)) {
    yield { line: text.slice(start, match.index), ending: match[0] };
    start = match.index + match[0].length;
  }
  if (start < text.length) yield { line: text.slice(start), ending: '' };
}

function splitField(line: string): { field: string; value: string; spaced: boolean } {
  const colon = line.indexOf(':');
  if (colon < 0) return { field: line, value: '', spaced: true };
  const rest = line.slice(colon + 1);
  return {
    field: line.slice(0, colon),
    value: rest.startsWith(' ') ? rest.slice(1) : rest,
    spaced: rest.startsWith(' '),
  };
}
