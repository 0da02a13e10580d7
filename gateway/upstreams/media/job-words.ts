import { isObject, type JsonObject } from '../../http/parse-json.ts';
import { namedCause } from '../refusal-words.ts';
import { type OutputWords, outputsIn } from './job-outputs.ts';
import type { JobFailure, JobState } from './media-outcome.ts';

// Shared by both job dialects: names of states and reasons, ids.

const waiting = ['queued', 'pending', 'starting', 'in_queue', 'submitted', 'created', 'waiting', 'throttled'];
const done = [
  ...['completed', 'complete', 'succeeded', 'succeed', 'success', 'finished', 'done', 'ready', 'ok'],
  'all_success',
];
const failed = [
  ...['canceled', 'cancelled', 'aborted', 'expired', 'rejected', 'timeout', 'timed_out', 'terminated'],
  ...['deleted', 'moderated', 'request_moderated', 'content_moderated', 'nsfw', 'blocked'],
  'sensitive_word_error',
];
/** A name that ends in one of these is a failure of some part of the job, such as `generate_audio_failed`. */
const failedEnd = /(?:^|_)(?:failed|failure|fail|error)$/;
/** Some upstreams write these for a job that they do not know yet. */
const unknown = ['not_found', 'not_exist'];

type StateName = 'waiting' | 'running' | 'done' | 'failed' | 'unknown';

/** The meaning of a state's name, in any spelling. A name without a known meaning ends nothing (fault J5). */
export function stateOf(word: string): StateName {
  const plain = word
    .trim()
    .toLowerCase()
    .replaceAll(/[ .-]/g, '_')
    .replace(/^(?:task|job)_(?:status_|state_)?/, '');
  if (waiting.includes(plain)) return 'waiting';
  if (done.includes(plain)) return 'done';
  if (unknown.includes(plain)) return 'unknown';
  return failed.includes(plain) || failedEnd.test(plain) ? 'failed' : 'running';
}

/** How a dialect writes the state of a job. */
export interface JobWords extends OutputWords {
  /** Codes of failed jobs that say more than the failure itself. */
  readonly codes: Readonly<Record<string, JobFailure>>;
}

/** Where upstreams put the state of a job. */
const statePlaces = ['status', 'state', 'task_status', 'taskStatus', 'job_status', 'successFlag'];

/**
 * The state of a job from its record; null when the record does not show one. `body`: what the record was wrapped in, which may
 * name outputs that the record alone does not.
 */
export function stateIn(record: JsonObject, words: JobWords, body = record): JobState | null {
  const name = stateNameIn(record, words);
  switch (name) {
    case null:
    case 'unknown':
      return null;
    case 'waiting':
    case 'running':
      return { kind: name };
    case 'done':
      return doneIn(record, words, body);
    case 'failed':
      return { kind: 'failed', reason: failureIn(record, words.codes) };
  }
}

/** A job that has ended well; without outputs, a filter may have kept them. */
function doneIn(record: JsonObject, words: JobWords, body: JsonObject): JobState {
  const own = outputsIn(record, words);
  const outputs = own.length > 0 || body === record ? own : outputsIn(body, words);
  const { video, finish_reason: reason } = record;
  const isMarked = [record, video].some((one) => isObject(one) && one.respect_moderation === false);
  const isFiltered =
    isMarked || /filter/i.test(String(reason)) || failureIn(record, words.codes) === 'policy';
  if (outputs.length === 0 && isFiltered) return { kind: 'failed', reason: 'policy' };
  return { kind: 'done', outputs };
}

/** Whether a record shows the state of a job, well or badly named. */
export function showsState(record: JsonObject): boolean {
  const isNamed = statePlaces.some((place) => typeof record[place] === 'string');
  return isNamed || typeof record.done === 'boolean' || typeof record.successFlag === 'number';
}

/** Whether a record names a job and says nothing of it, as some do while it waits. */
export function isBareId(record: JsonObject): boolean {
  const names = Object.keys(record).filter((name) => record[name] !== null);
  return names.length > 0 && names.every((name) => idPlaces.includes(name));
}

/** The named state. Without a name: done with outputs, failed with an error, and otherwise as a flag says. */
function stateNameIn(record: JsonObject, words: JobWords): StateName | null {
  const names = statePlaces.map((place) => record[place]);
  const name = names.find((one) => typeof one === 'string' && one !== '');
  if (typeof name === 'string') return stateOf(name);
  if (record.done === false) return 'running';
  const hasError = isObject(record.error) && Object.values(record.error).some(Boolean);
  if (hasError || record.errorCode) return 'failed';
  // This number has known values. A job with partial outputs is still running (fault J14).
  const { successFlag: flag } = record;
  if (typeof flag === 'number') return flag === 1 ? 'done' : flag >= 2 ? 'failed' : 'running';
  if (outputsIn(record, words).length > 0 || record.done === true) return 'done';
  return names.some((one) => typeof one === 'number') ? 'running' : null;
}

/** How upstreams report a content filter in codes and texts. The text is only matched (fault J11). */
const policyText =
  /sensitive|moderat|content policy|safety|prohibited|nsfw|inappropriate|copyright|datainspection/i;
/** Codes of an input that the upstream cannot use. */
const inputCode = /^(?:invalid|unsupported|bad)[ _.]?(?:input|param|request|image|video|audio|prompt|asset)/i;
const maxText = 2000;

export function isPolicyText(message: unknown): boolean {
  return typeof message === 'string' && policyText.test(message.slice(0, maxText));
}

/** Where else upstreams put the code and the text of a failure. */
const codePlaces = ['failureCode', 'failure_code', 'failCode', 'err_code'];
const textPlaces = ['failure', 'failMsg', 'task_status_msg', 'status_msg'];

/** The first value that says something. */
function firstOf(...values: readonly unknown[]): unknown {
  return values.find((value) => value !== undefined && value !== null && value !== '');
}

/** Why a job failed: by the code in its record or, if that says nothing, by the text. */
export function failureIn(record: JsonObject, codes: Readonly<Record<string, JobFailure>>): JobFailure {
  const error = isObject(record.error) ? record.error : { message: record.error };
  const code = firstOf(
    record.errorCode,
    error.code,
    ...codePlaces.map((place) => record[place]),
    error.type,
    record.code,
  );
  const text = firstOf(record.errorMessage, error.message, ...textPlaces.map((place) => record[place]));
  const message = text ?? record.message;
  const name = typeof code === 'number' ? String(code) : code;
  const known = typeof name === 'string' && Object.hasOwn(codes, name) ? codes[name] : undefined;
  if (known !== undefined) return known;
  const isPolicy = [name, message, record.status].some(isPolicyText) || namedCause(message) === 'policy';
  if (isPolicy) return 'policy';
  return typeof name === 'string' && inputCode.test(name) ? 'bad_input' : 'other';
}

const maxId = 512;

/** An upstream's id of a job; null when it could not be used in a later request. */
export function nativeIdIn(value: unknown): string | null {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  return typeof value === 'string' && value !== '' && value.length <= maxId ? value : null;
}

/** Where upstreams put the id of a job. */
const idPlaces = ['id', 'taskId', 'task_id', 'jobId', 'job_id', 'request_id'];

/** The id in an answer to a start, also within the data of the answer; null when it names none. */
export function startedIdIn(answer: unknown): string | null {
  if (!isObject(answer)) return null;
  const { data, output, task } = answer;
  const holders = [answer, data, output, task].filter(isObject);
  const found = idPlaces.flatMap((place) => holders.map((holder) => nativeIdIn(holder[place])));
  return found.find((id) => id !== null) ?? nativeIdIn(data);
}
