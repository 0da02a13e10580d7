import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../clock.ts';
import type { Limits } from '../config.ts';
import { type Connection, connectionOf } from './connection.ts';

/** What the log line of a request says; filled in on the way, never with a key, a header, a body or a query. */
export interface ExchangeFacts {
  route: string;
  code: string;
  keyId: string | null;
  /** What went wrong inside, for the log only. */
  cause: unknown;
}

/** One request and its answer, as every stage sees it. */
export interface Exchange {
  readonly requestId: string;
  readonly startedAtMs: number;
  /** What its waits go by. */
  readonly clock: Clock;
  /** What it may send, and how long it may take. */
  readonly limits: Limits;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly connection: Connection;
  /** The path as sent, without query. */
  readonly path: string;
  /** The query as sent, without its question mark. It may hold a key: it goes into no log. */
  readonly query: string;
  /** Address of the peer of the TCP connection, whatever headers say. */
  readonly peer: string;
  /** Aborts when the client is gone before its answer is complete. */
  readonly gone: AbortSignal;
  readonly facts: ExchangeFacts;
  /** Runs `release`, which never rejects, exactly once: just before the last byte is handed over, or when the client is gone. */
  whenOver(release: () => void | Promise<void>): void;
  /**
   * Says that the last byte is about to be handed over, or that there will be none. Idempotent; resolves when everything
   * that the exchange held has been given back.
   */
  over(): Promise<void>;
}

/** Opens the exchange of a request that Node has just delivered. */
export function openExchange(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  opening: { requestId: string; clock: Clock; limits: Limits; query: string },
): Exchange {
  const connection = connectionOf(incoming.socket);
  const client = new AbortController();
  const releases: (() => void | Promise<void>)[] = [];
  /** What has been given back and is on its way; null until the exchange is over. */
  let ending: Promise<unknown> | null = null;
  const lost = (): void => {
    if (ending === null) client.abort();
    void over();
  };
  const over = async (): Promise<void> => {
    if (ending === null) {
      connection.onLost.delete(lost);
      ending = Promise.all(releases.map((release) => release()));
    }
    await ending;
  };
  connection.pending += 1;
  connection.onLost.add(lost);
  outgoing.once('close', () => {
    // Node may tell the answer of a dead connection before the connection itself.
    lost();
    connection.pending -= 1;
    if (connection.pending === 0) connection.onIdle?.();
  });
  // Both sides report a lost connection as an error of their own; `gone` is where we listen.
  incoming.on('error', () => {});
  outgoing.on('error', () => {});
  return {
    ...opening,
    startedAtMs: opening.clock.now(),
    incoming,
    outgoing,
    connection,
    path: (incoming.url ?? '').split('?', 1)[0] ?? '',
    peer: incoming.socket.remoteAddress ?? '',
    gone: client.signal,
    facts: { route: 'none', code: 'ok', keyId: null, cause: null },
    whenOver: (release) => {
      if (ending === null) releases.push(release);
      else ending = Promise.all([ending, release()]);
    },
    over,
  };
}
