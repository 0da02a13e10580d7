import { classifyError, errorIn } from '../chat-completions/classify.ts';
import { askJson, type JsonReply, type MediaTarget, shortAnswerBytes } from '../media/ask-json.ts';
import type { JobDialect } from '../media/job-dialect.ts';
import { startedIdIn } from '../media/job-words.ts';
import { notStarted, pageFailure, refused, unanswered, unclear } from '../media/start-outcome.ts';
import { failure, type UpstreamFailure } from '../outcome.ts';
import { retryAfterMs } from '../retry-after.ts';
import { readJob } from './read-job.ts';

/**
 * The jobs dialect: a start with the same key, however often it is sent, makes one job. The gateway then polls it.
 */
export const jobs: JobDialect = {
  start: async (client, call) => {
    const headers = { 'idempotency-key': call.key };
    const question = { ...targetOf(call), path: '/jobs', body: call.body, headers };
    const reply = await askJson(client, { ...question, maxBytes: shortAnswerBytes });
    if (reply.kind === 'failure' || reply.kind === 'client_left') return unanswered(reply);
    const { status, value } = reply;
    const nativeId = reply.kind === 'answer' ? startedIdIn(value) : null;
    if (nativeId !== null) return { kind: 'started', nativeId };
    // A job with this key exists but differs: it must not be started again on any channel.
    if (isConflict(reply)) return unclear(failure('unusable', 'another job has this key', { status }));
    const why = pageFailure(reply) ?? classifyError(value, status, reply.headers, call);
    if (reply.kind === 'refusal') return refused(reply, why);
    return errorIn(value) === null
      ? unclear(failure('unusable', 'an answer without a job', { status }))
      : notStarted(why);
  },
  poll: async (client, target, nativeId) => {
    const path = `/jobs/${encodeURIComponent(nativeId)}`;
    const reply = await askJson(client, { ...targetOf(target), path, maxBytes: shortAnswerBytes });
    if (reply.kind === 'client_left') return failure('connection', 'we left');
    if (reply.kind === 'failure') return reply;
    const { status, headers, value } = reply;
    if (status === 404) return { kind: 'gone' };
    const state = reply.kind === 'answer' ? readJob(value, target.baseUrl) : null;
    if (state !== null) return { kind: 'state', state, askAgainMs: retryAfterMs(headers) };
    return pollFailure(reply);
  },
};

function pollFailure(reply: JsonReply): UpstreamFailure {
  const { kind, status, headers, value } = reply;
  if (kind === 'answer' && errorIn(value) === null)
    return failure('unusable', 'an answer without a job', { status });
  return pageFailure(reply) ?? classifyError(value, status, headers);
}

function targetOf({ baseUrl, apiKey, gone, isFresh }: MediaTarget): MediaTarget {
  return { baseUrl, apiKey, gone, ...(isFresh !== undefined && { isFresh }) };
}

function isConflict({ kind, value }: JsonReply): boolean {
  const error = kind === 'refusal' ? errorIn(value) : null;
  return error?.code === 'idempotency_conflict';
}
