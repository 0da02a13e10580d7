import { flag } from '../rules/violation.ts';
import { type Exchange, header } from '../wire/exchange.ts';

/** The longest wait that a refusal may ask for: an outage ("retry in 30 to 60 seconds"), or one answer of an upstream (B-110), s. */
const longestS = 60;

/** The codes whose refusals may have a hint, with the aspect that names it. */
const hintAspects: Readonly<Record<string, string>> = {
  channel_outage: 'outage-hint-in-seconds',
  channel_queue_full: 'full-hint-in-seconds',
};

/** The wait that an answer requests in `Retry-After`. */
export interface RetryHint {
  /** The seconds to wait; NaN for neither whole seconds nor a date. */
  readonly seconds: number;
  /** The header as it was sent. */
  readonly text: string;
  /** Dates have no fractions of a second, so a date may be up to one second later. */
  readonly slackS: 0 | 1;
}

/**
 * Reads the `Retry-After` of an answer in both HTTP forms: whole seconds or a date (reading B-110). A date counts from the
 * answer's `Date` or from `nowMs`, the deployment's time, whichever is nearer: a deployment with a moved clock may show
 * either.
 */
export function retryHintOf(exchange: Exchange, nowMs: number): RetryHint | null {
  const text = header(exchange, 'retry-after');
  if (text === null) return null;
  if (/^\d+$/.test(text)) return { seconds: Number(text), text, slackS: 0 };
  const dated = Date.parse(header(exchange, 'date') ?? '');
  const waits = [nowMs, dated]
    .filter((from) => !Number.isNaN(from))
    .map((from) => Math.ceil((dateIn(text) - from) / 1_000))
    .sort((a, b) => Math.abs(a) - Math.abs(b));
  return { seconds: waits[0] ?? Number.NaN, text, slackS: 1 };
}

/** Whether a hint requests 1 to `maxS` seconds. */
export function asksAtMost({ seconds, slackS }: RetryHint, maxS: number): boolean {
  return seconds >= 1 && seconds <= maxS + slackS;
}

/**
 * Judges the hint of a refusal that has one, on any endpoint: a caller is told to wait some seconds. A date alone shows nothing
 * while the deployment's clock is unknown.
 */
export function judgeRetryHint(code: string, exchange: Exchange, clockAheadMs: number | null): void {
  const aspect = hintAspects[code];
  if (aspect === undefined) return;
  const hint = retryHintOf(exchange, exchange.endedAt + (clockAheadMs ?? 0));
  const isKnown = hint !== null && (clockAheadMs !== null || hint.slackS === 0);
  flag(!isKnown || asksAtMost(hint, longestS), {
    ...{ requirement: 'ROUTE-017', aspect, exchange },
    expected: `Retry-After of 1 to ${longestS} whole seconds, or none`,
    actual: hint?.text ?? '',
  });
}

/** The time of a date as HTTP writes it; NaN for any other text. */
function dateIn(text: string): number {
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && new Date(ms).toUTCString() === text ? ms : Number.NaN;
}
