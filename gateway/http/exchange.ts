import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../clock.ts';
import type { Limits } from '../config.ts';
import { type Gone, Leaving } from '../gone.ts';
import type { BodyBudget } from './body-budget.ts';
import { type Connection, connectionOf } from './connection.ts';

/** The fields of a request's log line, filled in on the way; never a key, a header, a body or a query. */
export interface ExchangeFacts {
  route: string;
  code: string;
  keyId: string | null;
  /** Account and user of the key. Not logged. */
  user: string | null;
  /** The name of the admin token that the request came with. */
  admin: string | null;
  /** Milliseconds until the first event of the stream. */
  firstEventMs: number | null;
  /** The internal error, for the log only. */
  cause: unknown;
}

/** Exchanges whose clients have closed their side and may have left. */
export interface HalfClosedExchanges {
  add(exchange: Exchange): void;
  delete(exchange: Exchange): void;
  /** Ends the first one of this user as if its client had left, but not `except`. False if there is none. */
  cutOne(user: string, except: Exchange): Promise<boolean>;
}

/** A request and its answer, as every stage sees it. */
export interface Exchange {
  readonly requestId: string;
  /** Unix milliseconds, for the record. */
  readonly startedAtMs: number;
  /** Milliseconds since the request arrived, unaffected by the wall clock. */
  elapsedMs(): number;
  /** The clock for all waits, but those for bytes of the caller. */
  readonly clock: Clock;
  /** Real time for bytes from the caller: a jump of the test clock must not time them out. */
  readonly line: Pick<Clock, 'schedule'>;
  /** Limits on the size and duration of the request. */
  readonly limits: Limits;
  /** Limits the bytes of all bodies in flight. */
  readonly bodies: BodyBudget;
  readonly halfClosed: HalfClosedExchanges;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly connection: Connection;
  /** The path as sent, without query. */
  readonly path: string;
  /** The query as sent, without its question mark. It may hold a key and must not be logged. */
  readonly query: string;
  /** Address of the TCP peer as its socket names it, whatever the headers say; empty once the connection is gone. */
  readonly peer: string;
  /** Aborts when the client disconnects before its answer is complete. */
  readonly gone: Gone;
  readonly facts: ExchangeFacts;
  /** Whether the gateway writes the chunk framing itself instead of Node. */
  isChunked: boolean;
  /**
   * Runs `release`, which never rejects, exactly once: just before the last byte is sent, or when the client
   * disconnects.
   */
  whenOver(release: () => void | Promise<void>): void;
  /**
   * Reports that the last byte is about to be sent, or that none will be. Idempotent. Null when everything that the
   * exchange held has been released; otherwise it resolves then.
   */
  over(): Promise<unknown> | null;
  /** Ends it without an answer, or in the middle of one. `gone` has aborted when this returns. */
  cut(): void;
}

/** Opens the exchange of a request that Node has just delivered. */
export function openExchange(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  opening: Pick<Exchange, 'requestId' | 'clock' | 'line' | 'limits' | 'bodies' | 'halfClosed' | 'query'>,
): Exchange {
  const connection = connectionOf(incoming.socket);
  const { clock } = opening;
  const beganMs = clock.monotonic();
  const client = new Leaving();
  const releases: (() => void | Promise<void>)[] = [];
  let isOver = false;
  /** The releases in progress. */
  let ending: Promise<unknown> | null = null;
  const lost = (mayRead = false): void => {
    // The rest of an incomplete request will never come.
    if (mayRead && incoming.complete) {
      opening.halfClosed.add(exchange);
      return;
    }
    if (!isOver) client.abort();
    void over();
  };
  const over = (): Promise<unknown> | null => {
    if (isOver) return ending;
    isOver = true;
    connection.onLost.delete(lost);
    opening.halfClosed.delete(exchange);
    const waits = releases.map((release) => release()).filter((wait) => wait !== undefined);
    if (waits.length > 0) ending = Promise.all([ending, ...waits]);
    return ending;
  };
  connection.pending += 1;
  connection.onLost.add(lost);
  outgoing.once('close', () => {
    // Node may report the end of the answer before that of the dead connection.
    lost();
    connection.pending -= 1;
    if (connection.pending === 0) connection.onIdle?.();
  });
  // Both streams also emit an error for a lost connection; `gone` already covers it.
  incoming.on('error', () => {});
  outgoing.on('error', () => {});
  const exchange: Exchange = {
    ...opening,
    startedAtMs: clock.now(),
    elapsedMs: () => clock.monotonic() - beganMs,
    incoming,
    outgoing,
    connection,
    path: (incoming.url ?? '').split('?', 1)[0] ?? '',
    peer: incoming.socket.remoteAddress ?? '',
    gone: client,
    isChunked: false,
    facts: {
      route: 'none',
      code: 'ok',
      keyId: null,
      user: null,
      admin: null,
      firstEventMs: null,
      cause: null,
    },
    whenOver: (release) => {
      if (isOver) ending = Promise.all([ending, release()]);
      else releases.push(release);
    },
    over,
    cut: () => {
      lost();
      outgoing.destroy();
    },
  };
  return exchange;
}
