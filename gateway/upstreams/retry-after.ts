import type { IncomingHttpHeaders } from 'node:http';

/** Longest wait that is believed. */
const maxMs = 300_000;

/** Milliseconds per unit in durations such as `6m0s`, `1.5s` or `20ms`. */
const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const duration = String.raw`(?:\d{1,12}(?:\.\d{1,9})?(?:ms|[smhd]))+`;
const wholeDuration = new RegExp(`^${duration}$`);
const hint = new RegExp(
  String.raw`\b(?:try again|retry) (?:in|after) (?:about )?(${duration}|\d{1,9}(?: ?seconds?\b))`,
  'i',
);
/** Maximum length of an upstream's text that is searched. */
const maxText = 2000;

/** A limit that resets sooner needs no wait: such headers are part of every answer. */
const minResetMs = 1000;

/** Kinds of limits whose state the headers report, in both families of header names. */
const limits = ['requests', 'tokens', 'input-tokens', 'output-tokens'] as const;

/**
 * The wait that an answer asks for: `retry-after-ms`, or `retry-after` in seconds or as a date relative to the
 * answer's own `date`. Null when it is missing or meaningless. Of a list the first value counts.
 */
export function retryAfterMs(headers: IncomingHttpHeaders): number | null {
  const exact = numberIn(headers['retry-after-ms']);
  if (exact !== null) return boundedWaitMs(exact);
  const text = headers['retry-after'];
  const seconds = numberIn(text);
  if (seconds !== null) return boundedWaitMs(seconds * 1000);
  return untilMs(text, headers);
}

/**
 * The time until the exceeded limit resets, from the headers that report the state of each limit. It is the
 * longest among the exhausted limits; if none is, that of the kind named by the error. Null when unknown.
 */
export function limitResetMs(headers: IncomingHttpHeaders, kind: unknown = null): number | null {
  const states = limits.flatMap((limit) => [
    { limit, left: headers[`x-ratelimit-remaining-${limit}`], reset: headers[`x-ratelimit-reset-${limit}`] },
    {
      limit,
      left: headers[`anthropic-ratelimit-${limit}-remaining`],
      reset: headers[`anthropic-ratelimit-${limit}-reset`],
    },
  ]);
  const spent = states.filter(({ left }) => numberIn(left) === 0);
  const meant = spent.length > 0 ? spent : states.filter(({ limit }) => limit === kind);
  const waits = meant.map(({ reset }) => {
    const text = Array.isArray(reset) ? reset[0] : reset;
    const seconds = numberIn(text);
    if (seconds !== null) return boundedWaitMs(seconds * 1000);
    return durationMs(text ?? '') ?? untilMs(text, headers);
  });
  const longest = Math.max(0, ...waits.map((ms) => ms ?? 0));
  return longest < minResetMs ? null : longest;
}

/** The wait in a message such as `try again in 1m3.5s`. The text itself is never passed on. */
export function hintedWaitMs(message: unknown): number | null {
  const wait = typeof message === 'string' ? hint.exec(message.slice(0, maxText))?.[1] : undefined;
  if (wait === undefined) return null;
  return durationMs(wait) ?? boundedWaitMs(Number.parseInt(wait, 10) * 1000);
}

/** A plausible wait in ms; null for anything else. */
export function boundedWaitMs(ms: number): number | null {
  return ms > 0 ? Math.min(Math.ceil(ms), maxMs) : null;
}

function numberIn(text: string | string[] | undefined): number | null {
  const first = (Array.isArray(text) ? text[0] : text)?.split(',')[0]?.trim() ?? '';
  return /^\d+(?:\.\d+)?(?:e\d{1,2})?$/i.test(first) ? Number(first) : null;
}

function durationMs(text: string): number | null {
  if (!wholeDuration.test(text)) return null;
  const parts = text.matchAll(/([\d.]+)(ms|[smhd])/g);
  return boundedWaitMs(
    [...parts].reduce((sum, [, count, unit = '']) => sum + Number(count) * (unitMs[unit] ?? 0), 0),
  );
}

/** Time from the date of the answer to another date; null when there is none or it has passed. */
function untilMs(text: string | undefined, { date }: IncomingHttpHeaders): number | null {
  const wait = Date.parse(text ?? '') - Date.parse(date ?? '');
  return Number.isNaN(wait) ? null : boundedWaitMs(wait);
}
