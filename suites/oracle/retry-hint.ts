import { type Exchange, header } from '../wire/exchange.ts';

/** How long an answer asks its caller to wait, by its `Retry-After`. */
export interface RetryHint {
  /** NaN for what is neither whole seconds nor a date. */
  readonly seconds: number;
  /** The header as it was sent. */
  readonly text: string;
  /** Dates have no fractions of a second, so the time until one may be a second longer. */
  readonly slackS: 0 | 1;
}

/**
 * Reads the `Retry-After` of an answer in both forms that HTTP has: whole seconds or a date (reading B-110).
 * A date counts from the answer's own `Date` or from `nowMs`, the deployment's time, whichever is nearer: a
 * deployment whose clock was moved may show either.
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

/** Whether a hint asks for 1 to `maxS` seconds. */
export function asksAtMost({ seconds, slackS }: RetryHint, maxS: number): boolean {
  return seconds >= 1 && seconds <= maxS + slackS;
}

/** The time of a date as HTTP writes it; NaN for any other text. */
function dateIn(text: string): number {
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && new Date(ms).toUTCString() === text ? ms : Number.NaN;
}
