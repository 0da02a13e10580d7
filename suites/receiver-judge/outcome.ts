import { type Exchange, header, jsonOf } from '../wire/exchange.ts';

/**
 * What the answer of a receiver means for an event.
 * - `accepted`: 2xx
 * - `refused`: 4xx
 * - `broke`: 5xx or no answer; the event is not accepted, and the gateway sends it again
 * - `redirected`: 3xx, which no gateway follows
 */
export type Handling = 'accepted' | 'refused' | 'broke' | 'redirected';

export function handlingOf({ response }: Exchange): Handling {
  const kind = Math.floor((response?.status ?? 500) / 100);
  return kind === 2 ? 'accepted' : kind === 3 ? 'redirected' : kind === 4 ? 'refused' : 'broke';
}

/**
 * Whether an answer reports that the event is a duplicate: `duplicate` in its JSON, or the status 208 or 409.
 * Null when it does not say.
 */
export function saysDuplicate(exchange: Exchange): boolean | null {
  const status = exchange.response?.status;
  if (status === 208 || status === 409) return true;
  const answer = jsonOf(exchange);
  if (typeof answer !== 'object' || answer === null || !('duplicate' in answer)) return null;
  return typeof answer.duplicate === 'boolean' ? answer.duplicate : null;
}

/** When the receiver answered by its own clock, to the second; null when the answer has no date. */
export function dateSecondOf(exchange: Exchange): number | null {
  const ms = Date.parse(header(exchange, 'date') ?? '');
  return Number.isNaN(ms) ? null : Math.floor(ms / 1000);
}
