import type { IncomingHttpHeaders } from 'node:http';
import { isObject, type JsonObject } from '../http/parse-json.ts';

/** Longest wait that is believed. */
const maxMs = 300_000;

/** Milliseconds per unit in durations such as `6m0s`, `20ms` or `1 minute 30 seconds`, by the first letters of the unit. */
const unitMs: readonly (readonly [unit: RegExp, ms: number])[] = [
  [/^(?:ms|milli)/i, 1],
  [/^s/i, 1000],
  [/^m/i, 60_000],
  [/^h/i, 3_600_000],
  [/^d/i, 86_400_000],
];
const unit = '(?:ms|s|m|h|d|(?:millisecond|second|sec|minute|min|hour|day)s?)(?![a-z])';
const duration = String.raw`(?:\d{1,12}(?:\.\d{1,9})? ?${unit} ?)+`;
const wholeDuration = new RegExp(`^${duration}$`, 'i');
const hint = new RegExp(
  String.raw`\b(?:try again|retry|wait)(?: (?:in|after|for|at least))?(?: about)? (${duration})`,
  'i',
);
/** Maximum length of an upstream's text that is searched. */
const maxText = 2000;

/** A limit that resets sooner needs no wait: such headers are part of every answer. */
const minResetMs = 1000;

/** Kinds of limits whose state the headers report, in both families of header names; and the names for a single limit. */
const limits = ['requests', 'tokens', 'input-tokens', 'output-tokens'] as const;
const single = ['x-ratelimit', 'ratelimit'] as const;

/** Numbers above this are points in time, not waits: seconds since 1970, or milliseconds. */
const minEpochS = 1_000_000_000;
const minEpochMs = 1_000_000_000_000;

/**
 * The wait that an answer asks for: `retry-after-ms`, or `retry-after` in seconds, as a duration, or as a point in time
 * relative to the answer's own `date`. Null when it is missing or meaningless. Of a list the first value counts.
 */
export function retryAfterMs(headers: IncomingHttpHeaders): number | null {
  const exact = numberIn(headers['retry-after-ms']);
  return exact === null ? waitIn(headers['retry-after'], headers) : boundedWaitMs(exact);
}

/**
 * The time until the exceeded limit resets, from the headers that report the state of each limit. It is the
 * longest among the exhausted limits; if none is, that of the kind named by the error. Null when unknown.
 */
export function limitResetMs(headers: IncomingHttpHeaders, kind: unknown = null): number | null {
  const states = [
    ...limits.flatMap((limit) => [
      {
        limit,
        left: headers[`x-ratelimit-remaining-${limit}`],
        reset: headers[`x-ratelimit-reset-${limit}`],
      },
      {
        limit,
        left: headers[`anthropic-ratelimit-${limit}-remaining`],
        reset: headers[`anthropic-ratelimit-${limit}-reset`],
      },
    ]),
    ...listed(headers),
    // One state for all windows of an account.
    {
      limit: kind,
      left: headers['anthropic-ratelimit-unified-status'] === 'rejected' ? '0' : undefined,
      reset: headers['anthropic-ratelimit-unified-reset'],
    },
    ...single.map((name) => {
      const left = headers[`${name}-remaining`];
      return { limit: left === undefined ? kind : name, left, reset: headers[`${name}-reset`] };
    }),
  ];
  const spent = states.filter(({ left }) => numberIn(left) === 0);
  const meant = spent.length > 0 ? spent : states.filter(({ limit }) => limit === kind);
  const waits = meant.map(({ reset }) => waitIn(reset, headers));
  const longest = Math.max(0, ...waits.map((ms) => ms ?? 0));
  return longest < minResetMs ? null : longest;
}

/** A limit, its remaining calls or tokens, and the time until it resets. */
interface LimitState {
  readonly limit: string;
  readonly left: string | undefined;
  readonly reset: string | undefined;
}

/**
 * The limits in a list of the IETF's headers: `RateLimit: "minute";r=0;t=30, "day";r=9;t=7200`, or as drafts before had it,
 * `limit=10, remaining=0, reset=30`.
 */
function listed({ ratelimit }: IncomingHttpHeaders): LimitState[] {
  const text = (Array.isArray(ratelimit) ? ratelimit.join(',') : (ratelimit ?? '')).slice(0, maxText);
  const read = (part: string): LimitState => ({
    limit: 'ratelimit',
    left: /\b(?:r|remaining)=(\d+)/i.exec(part)?.[1],
    reset: /\b(?:t|reset)=(\d+)/i.exec(part)?.[1],
  });
  return /\bremaining=/i.test(text) ? [read(text)] : text.split(',').map(read);
}

/**
 * The wait in an error: a member for it, the headers of the provider behind a proxy, or a message such as `try again in
 * 1m3.5s`. The text itself is never passed on.
 */
export function hintedWaitMs(error: JsonObject, { date }: IncomingHttpHeaders): number | null {
  const {
    message,
    metadata,
    details,
    retry_after: seconds = error.retryAfter ?? error.estimated_time,
  } = error;
  if (typeof seconds === 'number') return boundedWaitMs(seconds * 1000);
  const behind = isObject(metadata) && isObject(metadata.headers) ? Object.entries(metadata.headers) : [];
  const headers = behind.map(([name, value]) => [name.toLowerCase(), String(value)] as const);
  const wait = typeof message === 'string' ? hint.exec(message.slice(0, maxText))?.[1] : undefined;
  return (
    detailWaitMs(details) ??
    limitResetMs({ ...Object.fromEntries(headers), ...(date !== undefined && { date }) }) ??
    durationMs(wait ?? '')
  );
}

/** The longest wait in the details of an error: `retryDelay` as a duration such as `33s`, or as seconds and nanoseconds. */
function detailWaitMs(details: unknown): number | null {
  const waits = (Array.isArray(details) ? details : []).filter(isObject).map((detail) => {
    const delay = detail.retryDelay ?? detail.retry_delay;
    if (typeof delay === 'string') return durationMs(delay) ?? 0;
    const { seconds = 0, nanos = 0 } = isObject(delay) ? delay : {};
    const ms = Number(seconds) * 1000 + Number(nanos) / 1_000_000;
    return (Number.isFinite(ms) ? boundedWaitMs(ms) : null) ?? 0;
  });
  return Math.max(0, ...waits) || null;
}

/** A plausible wait in ms; null for anything else. */
export function boundedWaitMs(ms: number): number | null {
  return ms > 0 ? Math.min(Math.ceil(ms), maxMs) : null;
}

function numberIn(text: string | string[] | undefined): number | null {
  const first = (Array.isArray(text) ? text[0] : text)?.split(',')[0]?.trim() ?? '';
  return /^\d+(?:\.\d+)?(?:e\d{1,2})?$/i.test(first) ? Number(first) : null;
}

/** The wait in a value: seconds, a duration, or a point in time. */
function waitIn(value: string | string[] | undefined, headers: IncomingHttpHeaders): number | null {
  const text = Array.isArray(value) ? value[0] : value;
  const number = numberIn(text);
  if (number === null) return durationMs(text ?? '') ?? untilMs(Date.parse(text ?? ''), headers);
  if (number < minEpochS) return boundedWaitMs(number * 1000);
  return untilMs(number < minEpochMs ? number * 1000 : number, headers);
}

function durationMs(text: string): number | null {
  if (!wholeDuration.test(text)) return null;
  const parts = text.matchAll(/([\d.]+) ?([a-z]+)/gi);
  return boundedWaitMs([...parts].reduce((sum, [, count, name = '']) => sum + Number(count) * msOf(name), 0));
}

function msOf(name: string): number {
  return unitMs.find(([pattern]) => pattern.test(name))?.[1] ?? 0;
}

/** Time from the date of the answer to another date; null when there is none or it has passed. */
function untilMs(atMs: number, { date }: IncomingHttpHeaders): number | null {
  const wait = atMs - Date.parse(date ?? '');
  return Number.isNaN(wait) ? null : boundedWaitMs(wait);
}
