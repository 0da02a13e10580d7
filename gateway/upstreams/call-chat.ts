import type { IncomingHttpHeaders } from 'node:http';
import type { Gone } from '../gone.ts';
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
import { answerInObjects, collect, streamOf } from './whole-answer.ts';

/** How to read a dialect's answers. */
export interface AnswerReaders {
  /**
   * Classifies an error with an error status, inside a 200 or inside a stream. `body` is undefined when it is not
   * JSON.
   */
  classify(body: unknown, status: number, headers: IncomingHttpHeaders): UpstreamFailure;
  /** Converts the body of a non-streamed 200, as text, to a completion, or reports why it is not one. */
  completion(text: string): Completion | UpstreamFailure;
  /** A reader for one stream. */
  events(): EventReader;
  /** Cuts a stream that came as plain JSON into events, if the dialect has such streams. */
  readonly jsonEvents?: (maxEventLength: number) => EventParser;
}

/** Proxies restate the status of an answer that they changed or made: its body decides. */
const good: readonly number[] = [200, 201, 202, 203];

/**
 * The steps of a chat call that all dialects share: send, then distinguish errors, answers and streams. Never
 * rejects.
 */
export async function callChat(
  client: UpstreamClient,
  request: Omit<UpstreamRequest, 'accept'>,
  stream: boolean,
  readers: AnswerReaders,
): Promise<UpstreamOutcome> {
  const accept = stream ? 'text/event-stream' : 'application/json';
  const reply = await client.post({ ...request, accept });
  if (reply.kind !== 'reply') return reply;
  return good.includes(reply.status)
    ? await readGood(reply, stream, readers)
    : await readRefusal(reply, readers, request.gone);
}

async function readRefusal(
  reply: UpstreamReply,
  readers: AnswerReaders,
  gone: Gone,
): Promise<UpstreamFailure | ClientLeft> {
  const { value, isPage } = await readErrorBody(reply);
  if (gone.aborted) return { kind: 'client_left' };
  const { status, headers } = reply;
  // The page comes from a proxy that got no answer from the upstream (fault H12).
  if (isPage && status >= 500) return failure('server', `answered ${status} with a page`, { status });
  return readers.classify(value, status, headers);
}

/** Neither the content type nor the request decides how to read a body: its first significant byte does. */
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
    const whole = readers.completion(answer.text);
    const isUnread = whole.kind === 'failure' && whole.reason === 'unusable';
    const completion = (isUnread ? answerInObjects(answer.text, readers.events()) : null) ?? whole;
    return stream && completion.kind === 'completion' ? streamOf(completion) : completion;
  }
  if (form === 'other') {
    reply.close();
    return failure('unusable', 'the answer is neither JSON nor events', { status: reply.status });
  }
  const native = new NativeStream(reply, readers.events(), isJson ? jsonEvents : undefined);
  return stream ? await begin(native) : await collect(native);
}

/** Waits for the first step: until then a failure is an ordinary one and may be retried. */
async function begin(stream: NativeStream): Promise<UpstreamOutcome> {
  const first = await stream.next();
  if (first.kind === 'failure' || first.kind === 'client_left') return first;
  return {
    kind: 'stream',
    first,
    next: () => stream.next(),
    lastUsage: () => stream.lastUsage(),
    hiddenBytes: () => stream.hiddenBytes,
    hurry: (withinMs) => stream.hurry(withinMs),
    close: () => stream.close(),
  };
}
