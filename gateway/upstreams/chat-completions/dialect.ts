import type { UpstreamReply } from '../call.ts';
import type { UpstreamClient } from '../client.ts';
import { failure, type UpstreamOutcome } from '../outcome.ts';
import { checkForm, parseJson, readAnswer, readErrorBody } from '../read-answer.ts';
import { classifyError } from './classify.ts';
import { readCompletion } from './completion.ts';
import { NativeStream } from './stream.ts';

export interface ChatCall {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The native body, as text. */
  readonly body: string;
  readonly stream: boolean;
  readonly gone: AbortSignal;
}

/**
 * One call in the chat-completions dialect. A stream is handed over when its first pieces or its end have arrived,
 * so that everything that fails before them is still an ordinary failure. Never rejects.
 */
export async function complete(
  client: UpstreamClient,
  newCallId: () => string,
  call: ChatCall,
): Promise<UpstreamOutcome> {
  const { apiKey, body, gone } = call;
  const accept = call.stream ? 'text/event-stream' : 'application/json';
  const reply = await client.post({ url: `${call.baseUrl}/chat/completions`, apiKey, body, accept, gone });
  if (reply.kind !== 'reply') return reply;
  if (reply.status !== 200) {
    const error = await readErrorBody(reply);
    return gone.aborted ? { kind: 'client_left' } : classifyError(error, reply.status, reply.headers);
  }
  return call.stream ? await openStream(reply, newCallId) : await readPlain(reply, newCallId);
}

async function readPlain(reply: UpstreamReply, newCallId: () => string): Promise<UpstreamOutcome> {
  const problem = checkForm(reply, 'application/json');
  if (problem !== null) {
    reply.close();
    return problem;
  }
  const answer = await readAnswer(reply);
  return answer.kind === 'whole'
    ? readCompletion(parseJson(answer.bytes.toString('utf8')), newCallId)
    : answer;
}

async function openStream(reply: UpstreamReply, newCallId: () => string): Promise<UpstreamOutcome> {
  if (checkForm(reply, 'application/json') === null && reply.headers['content-type'] !== undefined) {
    return await notAStream(reply);
  }
  const problem = checkForm(reply, 'text/event-stream');
  if (problem !== null) {
    reply.close();
    return problem;
  }
  const stream = new NativeStream(reply, newCallId);
  const first = await stream.next();
  if (first.kind === 'failure' || first.kind === 'client_left') return first;
  return {
    kind: 'stream',
    first,
    next: () => stream.next(),
    lastUsage: () => stream.lastUsage(),
    close: () => stream.close(),
  };
}

/** Plain JSON where a stream was asked for is an error in disguise, or nothing that we can use. */
async function notAStream(reply: UpstreamReply): Promise<UpstreamOutcome> {
  const error = await readErrorBody(reply);
  return typeof error === 'object' && error !== null && 'error' in error
    ? classifyError(error, 200, reply.headers)
    : failure('unusable', 'answered a stream request with plain JSON', { status: 200 });
}
