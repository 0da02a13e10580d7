import { createArrayParser } from './array-parser.ts';
import { broken } from './json-frames.ts';
import type { EventReader, NativeStream } from './native-stream.ts';
import type {
  ClientLeft,
  Completion,
  OpenStream,
  StreamPiece,
  StreamStep,
  ToolCall,
  UpstreamFailure,
} from './outcome.ts';

/** Reads a non-streamed answer with the reader for streams: `take` passes it the whole body as one event. */
export function wholeAnswer(
  reader: EventReader,
  take: (pieces: StreamPiece[]) => StreamStep | null,
): Completion | UpstreamFailure {
  const pieces: StreamPiece[] = [];
  const end = take(pieces) ?? reader.ended(pieces);
  if (end.kind === 'end') return completionOf(pieces, end);
  return { ...(end.kind === 'failure' ? end : broken('no answer')), status: 200 };
}

/** Reads a stream that came as JSON objects instead of events, one a line or in a list; null if the text is none. */
export function answerInObjects(text: string, reader: EventReader): Completion | null {
  const events = createArrayParser(Infinity).feed(Buffer.from(text)) ?? [];
  // An answer that came twice is not one of two parts.
  if (events.length < 2 || events[0]?.data === events[1]?.data) return null;
  const answer = wholeAnswer(reader, (pieces) => {
    for (const event of events) {
      const end = reader.take(event, pieces);
      if (end !== null) return end;
    }
    return null;
  });
  return answer.kind === 'completion' ? answer : null;
}

/** Assembles a non-streamed answer from the pieces of a stream. */
function completionOf(
  pieces: readonly StreamPiece[],
  { finish, usage, unknownEnding }: StreamStep & { kind: 'end' },
): Completion {
  const toolCalls = callsIn(pieces);
  const text = pieces.flatMap((piece) => (piece.kind === 'text' ? [piece.text] : [])).join('');
  const isSilent = text === '' && toolCalls.length > 0;
  const ending = unknownEnding === undefined ? {} : { unknownEnding };
  return { kind: 'completion', text: isSilent ? null : text, toolCalls, finish, usage, ...ending };
}

/** Reads a stream to its end if the call requested a non-streamed answer. */
export async function collect(stream: NativeStream): Promise<Completion | UpstreamFailure | ClientLeft> {
  const pieces: StreamPiece[] = [];
  for (;;) {
    const step = await stream.next();
    if (step.kind === 'end') return completionOf(pieces, step);
    if (step.kind !== 'pieces') return step;
    for (const piece of step.pieces) pieces.push(piece);
  }
}

/** Turns a non-streamed answer into a stream if the call requested one. */
export function streamOf({ text, toolCalls, finish, usage, unknownEnding }: Completion): OpenStream {
  const pieces: StreamPiece[] = text === null || text === '' ? [] : [{ kind: 'text', text }];
  for (const [index, { arguments: given, ...call }] of toolCalls.entries()) {
    pieces.push({ kind: 'tool_start', index, ...call });
    if (given !== '') pieces.push({ kind: 'tool_arguments', index, text: given });
  }
  const ending = unknownEnding === undefined ? {} : { unknownEnding };
  const end: StreamStep = { kind: 'end', finish, usage, ...ending };
  return {
    kind: 'stream',
    first: pieces.length > 0 ? { kind: 'pieces', pieces } : end,
    next: () => Promise.resolve(end),
    lastUsage: () => usage,
    hiddenBytes: () => 0,
    hurry: () => {},
    close: () => {},
  };
}

function callsIn(pieces: readonly StreamPiece[]): ToolCall[] {
  const calls = new Map<number, { call: Omit<ToolCall, 'arguments'>; texts: string[] }>();
  for (const piece of pieces) {
    if (piece.kind === 'tool_start') {
      const { kind: _kind, index, native: _native, ...call } = piece;
      calls.set(index, { call, texts: [] });
    } else if (piece.kind === 'tool_arguments') calls.get(piece.index)?.texts.push(piece.text);
  }
  return [...calls.values()].map(({ call, texts }) => ({ ...call, arguments: texts.join('') }));
}
