import type { IncomingHttpHeaders } from 'node:http';
import type { UpstreamReply } from '../call.ts';
import type { UpstreamClient } from '../client.ts';
import type { ClientLeft, UpstreamFailure } from '../outcome.ts';
import { parseJson, readAnswer, readErrorBody } from '../read-answer.ts';

/** Where a call goes and who waits for it. */
export interface MediaTarget {
  /** Without a slash at its end; the dialect appends its own path. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Aborts when nobody waits any more. */
  readonly gone: AbortSignal;
  /** On a connection of its own: the one of the call before may have been at fault. */
  readonly isFresh?: boolean;
}

export interface JsonQuestion extends MediaTarget {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** For a POST; a question without one is a GET, which may be asked again at any time. */
  readonly body?: string;
  readonly maxBytes?: number;
}

/** An answer that says that all is well, or one that says otherwise. `value` is undefined for no JSON. */
export interface JsonReply {
  readonly kind: 'answer' | 'refusal';
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly value: unknown;
  /** Not the upstream speaks there, but a proxy that got nothing from it (fault H12). */
  readonly isPage: boolean;
}

/** Answers of job upstreams are short: a list of links at most. */
export const shortAnswerBytes = 1024 * 1024;

/** What upstreams answer that have made or begun something, or only tell. */
const good = [200, 201, 202];

/** Asks an upstream in JSON and reads its answer as that, whatever its label says. Never rejects. */
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
