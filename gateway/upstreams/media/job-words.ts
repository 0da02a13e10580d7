import { isObject } from '../../http/parse-json.ts';
import type { JobFailure, JobOutput } from './media-outcome.ts';
import { linkIn } from './read-link.ts';

// What both job dialects have in common: words for states and reasons, ids, lengths, what was made.

const waiting = ['queued', 'pending', 'starting', 'in_queue', 'submitted'];
const done = ['completed', 'complete', 'succeeded', 'succeed', 'success', 'finished', 'done'];
const failed = ['failed', 'failure', 'error', 'canceled', 'cancelled', 'expired', 'rejected'];

/** What the word for a state means, however it is written. One that nobody knows ends nothing (fault J5). */
export function stateOf(word: unknown): 'waiting' | 'running' | 'done' | 'failed' {
  const plain = typeof word === 'string' ? word.trim().toLowerCase() : '';
  if (waiting.includes(plain)) return 'waiting';
  if (done.includes(plain)) return 'done';
  return failed.includes(plain) ? 'failed' : 'running';
}

/** How upstreams without a code of their own say that a filter was at work. The text is only looked at (fault J11). */
const policyText = /sensitive|moderat|content policy|safety|prohibited/i;
const maxText = 2000;

export function isPolicyText(message: unknown): boolean {
  return typeof message === 'string' && policyText.test(message.slice(0, maxText));
}

/** Why a job failed, by its code and, when that says nothing, its text. */
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

/** An upstream's id of a job; null for none that could be asked for again. */
export function nativeIdIn(value: unknown): string | null {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  return typeof value === 'string' && value !== '' && value.length <= maxId ? value : null;
}

/** No job makes more files than this. */
const maxOutputs = 16;
/** Nor anything longer. */
const maxSeconds = 86_400;

/** What a job has made, as far as it can be fetched: an object or a link, or a list of such. */
export function outputsIn(value: unknown, lengthName: string): JobOutput[] {
  const listed: readonly unknown[] = Array.isArray(value) ? value : [value];
  return listed.slice(0, maxOutputs).flatMap((one) => {
    const url = linkIn(isObject(one) ? one.url : one);
    if (url === null) return [];
    return [{ url, durationSec: isObject(one) ? secondsIn(one[lengthName]) : null }];
  });
}

/** A length in whole seconds; null for none. */
function secondsIn(value: unknown): number | null {
  const isLength = typeof value === 'number' && value > 0 && value <= maxSeconds;
  return isLength ? Math.max(1, Math.round(value)) : null;
}
