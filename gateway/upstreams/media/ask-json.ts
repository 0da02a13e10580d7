import type { IncomingHttpHeaders } from 'node:http';
import type { Gone } from '../../gone.ts';
import type { UpstreamReply } from '../call.ts';
import type { UpstreamClient } from '../client.ts';
import type { ClientLeft, UpstreamFailure } from '../outcome.ts';
import { parseJson, readAnswer, readErrorBody } from '../read-answer.ts';

/** Where a call goes, and the signal that cancels it. */
export interface MediaTarget {
  /** Without a trailing slash; the dialect appends its own path. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Aborts when the result is no longer needed. */
  readonly gone: Gone;
  /** Use a new connection: that of the previous call may have caused the failure. */
  readonly isFresh?: boolean;
}

export interface JsonQuestion extends MediaTarget {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body of a POST; without one the request is a GET, which may be repeated at any time. */
  readonly body?: string;
  readonly maxBytes?: number;
}

/** A success or an error answer. `value` is undefined when the body is not JSON. */
export interface JsonReply {
  readonly kind: 'answer' | 'refusal';
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly value: unknown;
  /** The answer comes not from the upstream but from a proxy that got no answer from it (fault H12). */
  readonly isPage: boolean;
}

/** Job upstreams send short answers: at most a list of links. */
export const shortAnswerBytes = 1024 * 1024;

/** Statuses of upstreams that have made or started something, or that only report. */
const good = [200, 201, 202];

/** Sends a JSON request and reads the answer as JSON, whatever its content type. Never rejects. */
export async function askJson(
  client: UpstreamClient,
  question: JsonQuestion,
): Promise<JsonReply | UpstreamFailure | ClientLeft> {
  const reply = await send(client, question);
  if (reply.kind !== 'reply') return reply;
  const { status, headers } = reply;
  if (!good.includes(status)) {
    const { value, isPage } = await readErrorBody(reply);
    if (question.gone.aborted) return { kind: 'client_left' };
    return { kind: 'refusal', status, headers, value, isPage };
  }
  const answer = await readAnswer(reply);
  if (answer.kind !== 'whole') return answer;
  return { kind: 'answer', status, headers, value: parseJson(answer.text), isPage: false };
}

async function send(
  client: UpstreamClient,
  { baseUrl, path, apiKey, headers, body, gone, isFresh, maxBytes }: JsonQuestion,
): Promise<UpstreamReply | UpstreamFailure | ClientLeft> {
  const asked = {
    url: `${baseUrl}${path}`,
    headers: { ...headers, authorization: `Bearer ${apiKey}` },
    accept: 'application/json',
    gone,
    ...(isFresh !== undefined && { isFresh }),
    ...(maxBytes !== undefined && { maxBytes }),
  };
  if (body !== undefined) return await client.post({ ...asked, body });
  const first = await client.get(asked);
  const isStale = first.kind === 'failure' && first.isStale;
  return isStale ? await client.get({ ...asked, isFresh: true }) : first;
}
