import type { IncomingHttpHeaders } from 'node:http';

/** How long the Retry-After of an answer asks for; null when there is none, or none that means anything. */
export function askedWaitMs(headers: IncomingHttpHeaders, nowMs: number): number | null {
  const text = single(headers['retry-after'])?.trim();
  if (text === undefined) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const until = dateIn(text);
  if (until === null) return null;
  // A date is measured on the clock of who wrote it.
  const from = dateIn(single(headers.date) ?? '') ?? nowMs;
  return until > from ? until - from : null;
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

/** Only the form that HTTP has for dates: other numbers in there would be taken for years. */
function dateIn(text: string): number | null {
  const ms = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} [\d:]{8} GMT$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}
