import { type Exchange, header } from '../wire/exchange.ts';

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

/** The time of a date as HTTP writes it; NaN for any other text. */
function dateIn(text: string): number {
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && new Date(ms).toUTCString() === text ? ms : Number.NaN;
}
