import type { IncomingHttpHeaders } from 'node:http';

/** The wait that the Retry-After header of an answer requests, in ms; null if it is absent or invalid. */
export function askedWaitMs(headers: IncomingHttpHeaders, nowMs: number): number | null {
  const text = single(headers['retry-after'])?.trim();
  if (text === undefined) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const until = dateIn(text);
  if (until === null) return null;
  // A date is relative to the clock of the server that wrote it.
  const from = dateIn(single(headers.date) ?? '') ?? nowMs;
  return until > from ? until - from : null;
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

/** Accepts only HTTP dates: Date.parse would read other numbers as years. */
function dateIn(text: string): number | null {
  const ms = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} [\d:]{8} GMT$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}
