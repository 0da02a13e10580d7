import type { Exchange } from '../../wire/exchange.ts';
import { sampled } from '../../wire/sampled.ts';

/** One request of a check without its bodies, for the timeline of a failure. Times are Unix ms by our clock. */
export interface TracedExchange {
  readonly label: string;
  readonly method: string;
  readonly url: string;
  readonly status: number | null;
  readonly error: string | null;
  readonly sentAt: number;
  readonly firstByteAt: number | null;
  readonly endedAt: number;
  /** When the chunks of the answer arrived. */
  readonly piecesAt: readonly number[];
  /** What it shares with other requests of the same scene, task or inbox. */
  readonly ties: readonly string[];
}

/** The oldest are dropped first: failures seldom depend on them. */
const maxTraced = 4_000;

/** All requests of one check, small enough to keep them. */
export class ExchangeTrace {
  readonly #traced: TracedExchange[] = [];

  add(exchange: Exchange): void {
    this.#traced.push(tracedOf(exchange));
    if (this.#traced.length > maxTraced) this.#traced.shift();
  }

  get all(): readonly TracedExchange[] {
    return this.#traced;
  }
}

/** The most chunks of an answer that a timeline shows. */
export const mostPieces = 40;

/** What a timeline shows of an exchange. */
export function tracedOf(exchange: Exchange): TracedExchange {
  const { label, request, response, error, sentAt, endedAt } = exchange;
  return {
    ...{ label, method: request.method, url: request.url, error, sentAt, endedAt },
    status: response?.status ?? null,
    firstByteAt: response === null ? null : sentAt + response.firstByteMs,
    piecesAt: sampled(response?.arrivals ?? [], mostPieces).map(({ atMs }) => sentAt + atMs),
    ties: tiesIn(exchange),
  };
}

/** Matches scene markers and inbox names in a body. */
const marks = /\bgc[0-9a-f]{12}\b|\bin-[0-9a-f]{18}\b/g;
/** How much of each end of a longer body is searched, bytes. */
const looked = 32 * 1024;

/** The markers in a body or a path that relate it to other requests of its scene or inbox. */
export function marksIn(bytes: Buffer): string[] {
  const text =
    bytes.length <= 2 * looked
      ? bytes.toString('latin1')
      : `${bytes.toString('latin1', 0, looked)} ${bytes.toString('latin1', bytes.length - looked)}`;
  return [...new Set(text.match(marks))];
}

/** Its marks, and the task that it makes, reads or reports. */
function tiesIn({ request, response }: Exchange): string[] {
  const path = /\/tasks(?:\/([^/?#]+))?/.exec(request.url);
  const made =
    path !== null && request.method === 'POST' && response !== null ? taskIn(response.body) : undefined;
  return [
    ...marksIn(request.body),
    ...[path?.[1], made, taskIn(request.body)].filter((id) => id !== undefined),
  ];
}

function taskIn(body: Buffer): string | undefined {
  return /"task_id"\s*:\s*"([^"\\]{1,100})"/.exec(body.toString('latin1', 0, looked))?.[1];
}
