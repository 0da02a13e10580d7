import type { Answered, Arrival } from '../receiver/protocol.ts';
import type { Exchange } from './exchange.ts';

/** An event of a deployment as it reached the receiver of the suites. */
export interface ReceivedEvent {
  /** The number within its inbox, from 1, in order of arrival. */
  readonly n: number;
  readonly via: Arrival;
  readonly method: string;
  /** Path and query exactly as sent. */
  readonly target: string;
  /** In order of arrival, with names in the sender's case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The exact bytes, which the signature covers. */
  readonly body: Buffer;
  /** Whether the body did not arrive completely. */
  readonly isCut: boolean;
  /** When it arrived by the deployment's clock, Unix ms. It is a range, because that clock may have jumped at that moment. */
  readonly receivedMs: { readonly min: number; readonly max: number };
  readonly answered: Answered;
  /** The event as a report shows it: the request with the answer that it got. */
  readonly exchange: Exchange;
}

/**
 * The value of a header of an event, or null. Several of the same name are joined with commas as HTTP allows.
 */
export function eventHeader({ headers }: Pick<ReceivedEvent, 'headers'>, name: string): string | null {
  const found = headers.filter(([key]) => key.toLowerCase() === name.toLowerCase());
  return found.length === 0 ? null : found.map(([, value]) => value).join(', ');
}

/** The body of an event as JSON; `undefined` when it is not JSON in UTF-8. */
export function eventJson({ body }: Pick<ReceivedEvent, 'body'>): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}
