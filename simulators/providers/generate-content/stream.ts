import type { Reply } from '../../control/protocol.ts';
import { countTokens } from '../../tokens.ts';
import { Course } from '../course.ts';
import type { Exchange } from '../exchange.ts';
import { withHeaders } from '../whole.ts';
import { jsonType } from './errors.ts';
import { type Answer, renderChunk } from './reply.ts';
import { usageSoFar } from './usage.ts';

/** How the chunks of a stream stand on the wire. */
export interface Framing {
  readonly headers: Readonly<Record<string, string>>;
  frame(chunk: object, isFirst: boolean): string;
  /** What follows the last chunk. */
  readonly end: string;
}

/** `alt=sse`: each chunk an event of one line, the lines ended by CR and LF; nothing marks the end. */
export const events: Framing = {
  headers: { 'content-type': 'text/event-stream', 'content-disposition': 'attachment' },
  frame: (chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`,
  end: '',
};

/** Without it: the chunks as the elements of one JSON array. */
export const elements: Framing = {
  headers: { 'content-type': jsonType },
  frame: (chunk, isFirst) => `${isFirst ? '[' : '\n,\n'}${JSON.stringify(chunk, null, 2)}`,
  end: '\n]\n',
};

/**
 * Writes an answer as chunks, each one write: the head at once, every delta (a piece of text, or a whole call)
 * when it is due, then the chunk that tells how it ended, then the end of the body.
 */
export async function sendStream(
  exchange: Exchange,
  answer: Answer,
  reply: Reply,
  { framing, headers }: { framing: Framing; headers: Readonly<Record<string, string>> },
): Promise<void> {
  const course = new Course(exchange, reply);
  const deltas = deltasOf(answer);
  await course.beforeHead();
  exchange.head(200, withHeaders({ ...headers, ...framing.headers }, reply.headers), course.startMs, true);
  course.afterHead();
  let tokens = 0;
  for (const [k, delta] of deltas.entries()) {
    tokens += delta.tokens;
    const chunk = renderChunk(answer, [delta.part], usageSoFar(answer.usage, tokens));
    await course.beforeDelta(k);
    await exchange.send(`delta-${k}`, Buffer.from(framing.frame(chunk, k === 0)), course.deadline(k));
  }
  await course.beforeEnd(deltas.length);
  const endMs = course.deadline(deltas.length);
  const last = Buffer.from(framing.frame(lastChunk(answer), deltas.length === 0));
  await exchange.send('finish', last, endMs);
  course.afterFinish();
  await exchange.finish('done', Buffer.from(framing.end), endMs);
}

function deltasOf({ textDeltas, calls }: Answer): { part: object; tokens: number }[] {
  return [...textDeltas.map((text) => ({ part: { text }, tokens: countTokens(text) })), ...calls];
}

function lastChunk(answer: Answer): object {
  const parts = answer.ending.finishReason === 'STOP' ? [{ text: '' }] : [];
  return renderChunk(answer, parts, answer.usage, answer.ending);
}
