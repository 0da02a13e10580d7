import type { JsonObject } from '../../http/parse-json.ts';
import type { UpstreamClient } from '../client.ts';
import { askJson, type JsonReply, type MediaTarget, shortAnswerBytes } from '../media/ask-json.ts';
import type { JobDialect } from '../media/job-dialect.ts';
import { isBareId, startedIdIn } from '../media/job-words.ts';
import { filteredOr } from '../media/poll-refused.ts';
import { notStarted, pageFailure, refused, unanswered, unclear } from '../media/start-outcome.ts';
import { failure, type UpstreamFailure } from '../outcome.ts';
import { retryAfterMs } from '../retry-after.ts';
import { allWell, classifyCode, codeIn, dataIn, isWell, notFound } from './body-code.ts';
import { readRecord } from './read-record.ts';

/** The callback-jobs dialect. Two starts with one reference make two jobs. So look up the reference before a second start. */
export const callbackJobs: JobDialect = {
  start: async (client, { baseUrl, apiKey, gone, isFresh, body }) => {
    const target = { baseUrl, apiKey, gone, ...(isFresh !== undefined && { isFresh }) };
    const reply = await askJson(client, {
      ...target,
      path: '/generate',
      body,
      maxBytes: shortAnswerBytes,
    });
    if (reply.kind === 'failure' || reply.kind === 'client_left') return unanswered(reply);
    const { status, headers, value } = reply;
    if (reply.kind === 'refusal') return refused(reply, failureOf(reply));
    const code = codeIn(value);
    const nativeId = isWell(code) ? startedIdIn(value) : null;
    if (nativeId !== null) return { kind: 'started', nativeId };
    const isKnown = code !== null && code >= 400;
    if (isKnown) return notStarted(classifyCode(value, status, headers));
    return unclear(failure('unusable', 'an answer without a job', { status }));
  },
  find: async (client, target, key) => {
    const found = await record(client, target, `reference=${encodeURIComponent(key)}`);
    if (found.kind !== 'record') return found;
    const nativeId = startedIdIn(found.data);
    return nativeId === null
      ? failure('unusable', 'a record without an id', { status: allWell })
      : { kind: 'started', nativeId };
  },
  poll: async (client, target, nativeId) => {
    const found = await record(client, target, `taskId=${encodeURIComponent(nativeId)}`);
    if (found.kind === 'none') return { kind: 'gone' };
    if (found.kind === 'failure') return filteredOr(found, null);
    const state = readRecord(found.data, target.baseUrl);
    if (state !== null) return { kind: 'state', state, askAgainMs: found.askAgainMs };
    return isBareId(found.data)
      ? { kind: 'state', state: { kind: 'running' }, askAgainMs: found.askAgainMs }
      : failure('unusable', 'a record without a status', { status: allWell });
  },
};

type Found =
  | { readonly kind: 'record'; readonly data: JsonObject; readonly askAgainMs: number | null }
  | { readonly kind: 'none' }
  | UpstreamFailure;

async function record(client: UpstreamClient, target: MediaTarget, query: string): Promise<Found> {
  const { baseUrl, apiKey, gone } = target;
  const path = `/record?${query}`;
  const reply = await askJson(client, { baseUrl, apiKey, gone, path, maxBytes: shortAnswerBytes });
  if (reply.kind === 'client_left') return failure('connection', 'we left');
  if (reply.kind === 'failure') return reply;
  const { status, headers, value } = reply;
  const code = codeIn(value);
  if (code === notFound || (code === null && status === notFound)) return { kind: 'none' };
  if (reply.kind === 'refusal') return failureOf(reply);
  const data = isWell(code) ? dataIn(value) : null;
  if (data !== null) return { kind: 'record', data, askAgainMs: retryAfterMs(headers) };
  if (code === null || code < 400) return failure('unusable', 'an answer without a record', { status });
  return classifyCode(value, status, headers);
}

function failureOf(reply: JsonReply): UpstreamFailure {
  return pageFailure(reply) ?? classifyCode(reply.value, reply.status, reply.headers);
}
