import { isObject } from '../../http/parse-json.ts';
import { classifyError, errorIn } from '../chat-completions/classify.ts';
import { askJson, type JsonReply, type MediaTarget, shortAnswerBytes } from '../media/ask-json.ts';
import type { JobDialect } from '../media/job-dialect.ts';
import { isBareId, startedIdIn } from '../media/job-words.ts';
import type { PollOutcome } from '../media/media-outcome.ts';
import { filteredOr } from '../media/poll-refused.ts';
import { notStarted, pageFailure, refused, unanswered, unclear } from '../media/start-outcome.ts';
import { failure } from '../outcome.ts';
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
    const askAgainMs = retryAfterMs(headers);
    if (state !== null) return { kind: 'state', state, askAgainMs };
    return isWaiting(reply) ? { kind: 'state', state: { kind: 'running' }, askAgainMs } : pollFailure(reply);
  },
};

/** Whether an answer says only that there is a job. The deadline of its task bounds how long that is believed. */
function isWaiting({ kind, status, value }: JsonReply): boolean {
  if (kind !== 'answer' || errorIn(value) !== null) return false;
  return status === 202 || (isObject(value) && isBareId(value));
}

function pollFailure(reply: JsonReply): PollOutcome {
  const { kind, status, headers, value } = reply;
  const error = errorIn(value);
  if (kind === 'answer' && error === null) return failure('unusable', 'an answer without a job', { status });
  return filteredOr(pageFailure(reply) ?? classifyError(value, status, headers), error?.message);
}

function targetOf({ baseUrl, apiKey, gone, isFresh }: MediaTarget): MediaTarget {
  return { baseUrl, apiKey, gone, ...(isFresh !== undefined && { isFresh }) };
}

function isConflict({ kind, value }: JsonReply): boolean {
  const error = kind === 'refusal' ? errorIn(value) : null;
  return error?.code === 'idempotency_conflict';
}
