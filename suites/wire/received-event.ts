import type { Answered, Arrival } from '../receiver/protocol.ts';
import type { Exchange } from './exchange.ts';

/** An event of a deployment as it reached the receiver of the suites. */
export interface ReceivedEvent {
  /** Counted from 1 within its inbox, in order of arrival. */
  readonly n: number;
  readonly via: Arrival;
  readonly method: string;
  /** Path and query exactly as sent. */
  readonly target: string;
  /** In order of arrival, with names in the case of the sender. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The exact bytes, which the signature covers. */
  readonly body: Buffer;
  /** The body did not arrive completely. */
  readonly isCut: boolean;
  /**
   * When it arrived by the clock of the deployment, Unix ms. A range, because that clock may have jumped just
   * then.
   */
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
