import type { IncomingHttpHeaders } from 'node:http';

/** Nobody is believed who asks for more than this. */
const MAX_MS = 300_000;

/**
 * How long an answer asks to be left alone: `retry-after-ms`, or `retry-after` in seconds or as a date measured
 * against the answer's own `date`. Null when it does not say, or says it in a way that means nothing.
 */
export function retryAfterMs(headers: IncomingHttpHeaders): number | null {
  const exact = numberIn(headers['retry-after-ms']);
  if (exact !== null) return boundedWaitMs(exact);
  const text = headers['retry-after'];
  const seconds = numberIn(text);
  if (seconds !== null) return boundedWaitMs(seconds * 1000);
  const wait = Date.parse(text ?? '') - Date.parse(headers.date ?? '');
  return Number.isNaN(wait) ? null : boundedWaitMs(wait);
}

function numberIn(text: string | string[] | undefined): number | null {
  const first = (Array.isArray(text) ? text[0] : text)?.split(',')[0]?.trim() ?? '';
  return /^\d+(?:\.\d+)?$/.test(first) ? Number(first) : null;
}

/** A wait within reason; null for none. */
export function boundedWaitMs(ms: number): number | null {
  return ms > 0 ? Math.min(ms, MAX_MS) : null;
}
