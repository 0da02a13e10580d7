import type { IncomingHttpHeaders } from 'node:http';
import { peekForm } from './answer-form.ts';
import type { UpstreamReply, UpstreamRequest } from './call.ts';
import type { UpstreamClient } from './client.ts';
import type { EventParser } from './event-parser.ts';
import { type EventReader, NativeStream } from './native-stream.ts';
import {
  type ClientLeft,
  type Completion,
  failure,
  type UpstreamFailure,
  type UpstreamOutcome,
} from './outcome.ts';
import { readAnswer, readErrorBody } from './read-answer.ts';
import { collect, streamOf } from './whole-answer.ts';

/** How a dialect's answers are understood. */
export interface AnswerReaders {
  /** What an error means: one with a status, one inside a 200, one inside a stream. `body` is undefined for no JSON. */
  classify(body: unknown, status: number, headers: IncomingHttpHeaders): UpstreamFailure;
  /** Turns the body of a plain 200, as text, into a completion, or says why it is none. */
  completion(text: string): Completion | UpstreamFailure;
  /** A reader for one stream. */
  events(): EventReader;
  /** Cuts a stream that came as plain JSON into events, where the dialect knows such streams. */
  readonly jsonEvents?: (maxEventLength: number) => EventParser;
}

/** The outline of a chat call that all dialects share: send, tell errors, answers and streams apart. Never rejects. */
export async function callChat(
  client: UpstreamClient,
  request: Omit<UpstreamRequest, 'accept'>,
  stream: boolean,
  readers: AnswerReaders,
): Promise<UpstreamOutcome> {
  const accept = stream ? 'text/event-stream' : 'application/json';
  const reply = await client.post({ ...request, accept });
  if (reply.kind !== 'reply') return reply;
  return reply.status === 200
    ? await readGood(reply, stream, readers)
    : await readRefusal(reply, readers, request.gone);
}

async function readRefusal(
  reply: UpstreamReply,
  readers: AnswerReaders,
  gone: AbortSignal,
): Promise<UpstreamFailure | ClientLeft> {
  const { value, isPage } = await readErrorBody(reply);
  if (gone.aborted) return { kind: 'client_left' };
  const { status, headers } = reply;
  // Not the upstream speaks there, but a proxy that got nothing from it (fault H12).
  if (isPage && status >= 500) return failure('server', `answered ${status} with a page`, { status });
  return readers.classify(value, status, headers);
}

/** Neither the label of a body nor what was asked for tells how to read it: its first sign does. */
async function readGood(
  given: UpstreamReply,
  stream: boolean,
  readers: AnswerReaders,
): Promise<UpstreamOutcome> {
  const peeked = await peekForm(given);
  if (peeked.kind !== 'form') return peeked;
  const { form, reply } = peeked;
  const { jsonEvents } = readers;
  const isJson = form === 'object' || form === 'array';
  if (isJson && !(jsonEvents !== undefined && (stream || form === 'array'))) {
    const answer = await readAnswer(reply);
    if (answer.kind !== 'whole') return answer;
    const completion = readers.completion(answer.text);
    return stream && completion.kind === 'completion' ? streamOf(completion) : completion;
  }
  if (form === 'other') {
    reply.close();
    return failure('unusable', 'the answer is neither JSON nor events', { status: reply.status });
  }
  const native = new NativeStream(reply, readers.events(), isJson ? jsonEvents : undefined);
  return stream ? await begin(native) : await collect(native);
}

/** Waits for the first step: what fails before it is still an ordinary failure. */
async function begin(stream: NativeStream): Promise<UpstreamOutcome> {
  const first = await stream.next();
  if (first.kind === 'failure' || first.kind === 'client_left') return first;
  return {
    kind: 'stream',
    first,
    next: () => stream.next(),
    lastUsage: () => stream.lastUsage(),
    hurry: (withinMs) => stream.hurry(withinMs),
    close: () => stream.close(),
  };
}
