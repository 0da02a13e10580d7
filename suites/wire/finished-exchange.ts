import { keptBytes } from './body-bounds.ts';
import type { Carried, Exchange, Progress, ReceivedResponse, SentRequest } from './exchange.ts';
import { sampled } from './sampled.ts';

/** A piece of the body as it arrived, decoded. Times are ms since the request was sent. */
export interface Arrival {
  readonly atMs: number;
  readonly bytes: Buffer;
}

/** What has come of an answer so far. */
export interface Answering {
  status: number | null;
  headers: [string, string][];
  arrivals: Arrival[];
  firstByteMs: number;
  complete: boolean;
  error: string | null;
  isLeft: boolean;
  /** The answer on the wire. */
  carried: { status: number; headers: [string, string][]; pieces: Buffer[] } | null;
}

/** An answer at its end, with its times: Unix ms and ms since the request was sent. */
interface Answered extends Answering {
  readonly label: string;
  readonly sentAt: number;
  readonly endMs: number;
}

/** The most arrivals that are kept of a stream. */
const mostArrivals = 400;

/** The exchange that is over. */
export function finished(
  request: SentRequest,
  { label, status, headers, arrivals, firstByteMs, complete, error, isLeft, sentAt, endMs }: Answered,
): Exchange {
  const response: ReceivedResponse | null =
    status === null
      ? null
      : {
          ...{ status, headers, firstByteMs, endMs, complete },
          body: Buffer.concat(arrivals.map(({ bytes }) => bytes)),
          arrivals: sampled(progressOf(arrivals), mostArrivals),
        };
  const left = isLeft ? { isLeft: true as const } : {};
  return { label, request, response, error, ...left, sentAt, endedAt: Date.now() };
}

function progressOf(arrivals: readonly Arrival[]): Progress[] {
  let bytesSoFar = 0;
  return arrivals.map(({ atMs, bytes }) => {
    bytesSoFar += bytes.length;
    return { atMs, bytesSoFar };
  });
}

/** The exchange on the wire, in the deployment's names. */
export function carriedOf(request: SentRequest, { carried }: Pick<Answering, 'carried'>): Carried {
  if (carried === null) return { request, answer: null };
  const { pieces, ...head } = carried;
  return { request, answer: { ...head, body: Buffer.concat(pieces) } };
}

/** Keeps only the beginning of an answer that was too long. */
export function keepBeginning(arrivals: Arrival[]): void {
  let length = 0;
  const kept = arrivals.findIndex(({ bytes }) => {
    length += bytes.length;
    return length > keptBytes;
  });
  if (kept !== -1) arrivals.splice(Math.max(1, kept));
}
