import { isObject, type JsonObject } from '../../http/parse-json.ts';
import type { JobFailure, JobOutput } from './media-outcome.ts';
import { linkIn } from './read-link.ts';

// Shared by both job dialects: names of states and reasons, ids, durations, outputs.

const waiting = ['queued', 'pending', 'starting', 'in_queue', 'submitted', 'created', 'waiting', 'throttled'];
const done = ['completed', 'complete', 'succeeded', 'succeed', 'success', 'finished', 'done', 'ready'];
const failed = [
  ...['failed', 'failure', 'fail', 'error', 'canceled', 'cancelled', 'aborted', 'expired', 'rejected'],
  ...['timeout', 'timed_out', 'terminated', 'task_not_found'],
  ...['moderated', 'request_moderated', 'content_moderated', 'nsfw', 'blocked'],
];

/** The meaning of a state's name, in any spelling. An unknown name ends nothing (fault J5). */
export function stateOf(word: unknown): 'waiting' | 'running' | 'done' | 'failed' {
  const plain = typeof word === 'string' ? word.trim().toLowerCase().replaceAll(/[ -]/g, '_') : '';
  if (waiting.includes(plain)) return 'waiting';
  if (done.includes(plain)) return 'done';
  return failed.includes(plain) ? 'failed' : 'running';
}

/** How upstreams without an error code report a content filter. The text is only matched (fault J11). */
const policyText = /sensitive|moderat|content policy|safety|prohibited|nsfw/i;
const maxText = 2000;

export function isPolicyText(message: unknown): boolean {
  return typeof message === 'string' && policyText.test(message.slice(0, maxText));
}

/** Why a job failed: by the code in its record or, if that says nothing, by the text. */
export function failureIn(record: JsonObject, codes: Readonly<Record<string, JobFailure>>): JobFailure {
  const error = isObject(record.error) ? record.error : { message: record.error };
  const code = record.errorCode ?? error.code;
  const message = record.errorMessage ?? error.message ?? record.message;
  const name = typeof code === 'number' ? String(code) : code;
  const known = typeof name === 'string' && Object.hasOwn(codes, name) ? codes[name] : undefined;
  return known ?? (isPolicyText(message) || isPolicyText(record.status) ? 'policy' : 'other');
}

const maxId = 512;

/** An upstream's id of a job; null when it could not be used in a later request. */
export function nativeIdIn(value: unknown): string | null {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  return typeof value === 'string' && value !== '' && value.length <= maxId ? value : null;
}

/** Maximum number of files of one job. */
const maxOutputs = 16;
/** Maximum duration of an output. */
const maxSeconds = 86_400;

/** Where upstreams put the outputs of a job. Other places may repeat the input. */
const places = ['output', 'outputs', 'result', 'results', 'task_result', 'response', 'data', 'works'];
const innerPlaces = [...places, 'video', 'videos', 'audio', 'audios', 'image', 'images', 'files'];
const links = ['url', 'video_url', 'audio_url', 'image_url', 'download_url'];
const maxDepth = 4;

/**
 * The outputs of a job, as far as they can be fetched: links, objects with a link, and lists or objects of these. `own` is the
 * place of the dialect, which comes before all others, and its name for a length.
 */
export function outputsIn(
  record: JsonObject,
  own: { readonly place: string; readonly length: string },
): JobOutput[] {
  const found = new Map<string, JobOutput>();
  const look = (value: unknown, depth: number): void => {
    if (depth > maxDepth || found.size >= maxOutputs) return;
    if (Array.isArray(value)) {
      for (const one of value.slice(0, maxOutputs)) look(one, depth + 1);
      return;
    }
    const given = isObject(value) ? value : { url: value };
    const url = links.map((name) => linkIn(given[name])).find((link) => link !== null);
    const durationSec = secondsIn(given[own.length]);
    if (url === undefined) for (const place of innerPlaces) look(given[place], depth + 1);
    else if (!found.has(url)) found.set(url, { url, durationSec });
  };
  for (const place of new Set([own.place, ...places])) if (found.size === 0) look(record[place], 0);
  return [...found.values()].slice(0, maxOutputs);
}

/** A duration in whole seconds, which some upstreams write as text; null when there is none. */
function secondsIn(value: unknown): number | null {
  const length = typeof value === 'string' && /^\d{1,5}(?:\.\d+)?$/.test(value) ? Number(value) : value;
  const isLength = typeof length === 'number' && length > 0 && length <= maxSeconds;
  return isLength ? Math.max(1, Math.round(length)) : null;
}
