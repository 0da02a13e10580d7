import { isObject } from '../../http/parse-json.ts';
import type { JobFailure, JobOutput } from './media-outcome.ts';
import { linkIn } from './read-link.ts';

// Shared by both job dialects: names of states and reasons, ids, durations, outputs.

const waiting = ['queued', 'pending', 'starting', 'in_queue', 'submitted'];
const done = ['completed', 'complete', 'succeeded', 'succeed', 'success', 'finished', 'done'];
const failed = ['failed', 'failure', 'error', 'canceled', 'cancelled', 'expired', 'rejected'];

/** The meaning of a state's name, in any spelling. An unknown name ends nothing (fault J5). */
export function stateOf(word: unknown): 'waiting' | 'running' | 'done' | 'failed' {
  const plain = typeof word === 'string' ? word.trim().toLowerCase() : '';
  if (waiting.includes(plain)) return 'waiting';
  if (done.includes(plain)) return 'done';
  return failed.includes(plain) ? 'failed' : 'running';
}

/** How upstreams without an error code report a content filter. The text is only matched (fault J11). */
const policyText = /sensitive|moderat|content policy|safety|prohibited/i;
const maxText = 2000;

export function isPolicyText(message: unknown): boolean {
  return typeof message === 'string' && policyText.test(message.slice(0, maxText));
}

/** Why a job failed: by its code or, if that says nothing, by its text. */
export function failureOf(
  code: unknown,
  message: unknown,
  codes: Readonly<Record<string, JobFailure>>,
): JobFailure {
  const name = typeof code === 'number' ? String(code) : code;
  const known = typeof name === 'string' && Object.hasOwn(codes, name) ? codes[name] : undefined;
  return known ?? (isPolicyText(message) ? 'policy' : 'other');
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

/** The outputs of a job, as far as they can be fetched: an object or a link, or a list of these. */
export function outputsIn(value: unknown, lengthName: string): JobOutput[] {
  const listed: readonly unknown[] = Array.isArray(value) ? value : [value];
  return listed.slice(0, maxOutputs).flatMap((one) => {
    const url = linkIn(isObject(one) ? one.url : one);
    if (url === null) return [];
    return [{ url, durationSec: isObject(one) ? secondsIn(one[lengthName]) : null }];
  });
}

/** A duration in whole seconds; null when there is none. */
function secondsIn(value: unknown): number | null {
  const isLength = typeof value === 'number' && value > 0 && value <= maxSeconds;
  return isLength ? Math.max(1, Math.round(value)) : null;
}
