import type { IncomingHttpHeaders } from 'node:http';
import { isObject } from '../http/parse-json.ts';
import type { UpstreamReply, UpstreamRequest } from './call.ts';
import type { UpstreamClient } from './client.ts';
import type { EventParser } from './event-parser.ts';
import { type EventReader, NativeStream } from './native-stream.ts';
import { type Completion, failure, type UpstreamFailure, type UpstreamOutcome } from './outcome.ts';
import { checkForm, parseJson, readAnswer, readErrorBody } from './read-answer.ts';

/** How a dialect's answers are understood. */
export interface AnswerReaders {
  /** What an error means: one with a status, one inside a 200, one inside a stream. `body` is undefined for no JSON. */
  classify(body: unknown, status: number, headers: IncomingHttpHeaders): UpstreamFailure;
  /**
   * Turns the body of a plain 200 into a completion, or says why it is none. `text` is the same body for dialects that
   * give arguments as JSON instead of text: read again by `parseExact`, its numbers keep their digits.
   */
  completion(body: unknown, text: string): Completion | UpstreamFailure;
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
  if (reply.status !== 200) {
    const error = await readErrorBody(reply);
    if (request.gone.aborted) return { kind: 'client_left' };
    return readers.classify(error, reply.status, reply.headers);
  }
  return stream ? await openStream(reply, readers) : await readPlain(reply, readers);
}

async function readPlain(reply: UpstreamReply, readers: AnswerReaders): Promise<UpstreamOutcome> {
  const problem = checkForm(reply, 'application/json');
  if (problem !== null) {
    reply.close();
    return problem;
  }
  const answer = await readAnswer(reply);
  if (answer.kind !== 'whole') return answer;
  const text = answer.bytes.toString('utf8');
  return readers.completion(parseJson(text), text);
}

async function openStream(reply: UpstreamReply, readers: AnswerReaders): Promise<UpstreamOutcome> {
  if (checkForm(reply, 'application/json') === null && reply.headers['content-type'] !== undefined) {
    if (readers.jsonEvents === undefined) return await notAStream(reply, readers);
    return await begin(new NativeStream(reply, readers.events(), readers.jsonEvents));
  }
  const problem = checkForm(reply, 'text/event-stream');
  if (problem !== null) {
    reply.close();
    return problem;
  }
  return await begin(new NativeStream(reply, readers.events()));
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

/** Plain JSON where a stream was asked for is an error in disguise, or nothing that we can use. */
async function notAStream(reply: UpstreamReply, readers: AnswerReaders): Promise<UpstreamOutcome> {
  const body = await readErrorBody(reply);
  const error: unknown = Array.isArray(body) ? body[0] : body;
  return isObject(error) && 'error' in error
    ? readers.classify(body, 200, reply.headers)
    : failure('unusable', 'answered a stream request with plain JSON', { status: 200 });
}
