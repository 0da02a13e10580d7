import type { TextFrame } from '../../answers/native-answer.ts';
import type { Pace } from '../../latency/pace.ts';
import { countTokens } from '../../tokens.ts';
import { jsonType } from './errors.ts';
import { type Answer, renderChunk, thoughtParts } from './reply.ts';
import { usageSoFar } from './usage.ts';

/** How the chunks of a stream are written on the wire. */
export interface Framing {
  readonly headers: Readonly<Record<string, string>>;
  frame(chunk: object, isFirst: boolean): string;
  /** The text after the last chunk. */
  readonly end: string;
}

/** With `alt=sse`: each chunk is an event of one line. Lines end with CRLF; there is no end mark. */
export const events: Framing = {
  headers: { 'content-type': 'text/event-stream', 'content-disposition': 'attachment' },
  frame: (chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`,
  end: '',
};

/** Without `alt=sse`: the chunks are the elements of one JSON array. */
export const elements: Framing = {
  headers: { 'content-type': jsonType },
  frame: (chunk, isFirst) => `${isFirst ? '[' : '\n,\r\n'}${JSON.stringify(chunk, null, 2)}`,
  end: '\n]\n',
};

/**
 * An answer as chunks, one frame each. Every delta (a piece of text, or a whole call) is sent when it is due. Then
 * come the chunk with the finish reason and the end of the body.
 */
export function streamFrames(answer: Answer, framing: Framing, pace: Pace): TextFrame[] {
  const deltas = deltasOf(answer);
  let tokens = 0;
  const thoughts = thoughtParts(answer).map((part, k) => {
    const chunk = renderChunk(answer, [part], usageSoFar(answer.usage, 0));
    return { label: `thought-${k}`, text: framing.frame(chunk, k === 0), dueMs: 0 };
  });
  const frames = deltas.map((delta, k) => {
    tokens += delta.tokens;
    const chunk = renderChunk(answer, [delta.part], usageSoFar(answer.usage, tokens));
    return {
      label: `delta-${k}`,
      text: framing.frame(chunk, k + thoughts.length === 0),
      dueMs: pace.dueMs(k),
    };
  });
  const endMs = pace.dueMs(deltas.length);
  const last = framing.frame(lastChunk(answer), deltas.length + thoughts.length === 0);
  return [
    ...thoughts,
    ...frames,
    { label: 'finish', text: last, dueMs: endMs },
    { label: 'done', text: framing.end, dueMs: endMs },
  ];
}

function deltasOf({ textDeltas, calls }: Answer): { part: object; tokens: number }[] {
  return [...textDeltas.map((text) => ({ part: { text }, tokens: countTokens(text) })), ...calls];
}

function lastChunk(answer: Answer): object {
  const parts = answer.ending.finishReason === 'STOP' ? [{ text: '' }] : [];
  return renderChunk(answer, parts, answer.usage, answer.ending);
}
