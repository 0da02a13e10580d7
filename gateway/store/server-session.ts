import pg from 'pg';
import type { Logger } from 'pino';
import { clientConfig, sessionSettings } from './connection-pool.ts';
import type { ServerAddress } from './server-address.ts';
import type { StoreLink } from './store-link.ts';

/**
 * Short texts from one process to all processes that share a database server. A process that is not listening misses them.
 */
export interface Notices {
  /** Whether this process hears notices now. */
  readonly isHeard: boolean;
  onNotice(hear: (text: string) => void): void;
  /**
   * Sends a text of at most `maxNoticeBytes` immediately, on a connection that no call uses. Rejects if it cannot be sent.
   */
  send(text: string): Promise<void>;
}

/** Runs one statement on the session. Rejects if it fails or times out. */
export type Ask = (statement: string, values?: readonly unknown[]) => Promise<readonly unknown[]>;

/** State to maintain on a session, such as locks and leases. A failure closes the session, which is then reopened. */
export interface SessionWork {
  /** Runs each time the session is opened. */
  opened(ask: Ask): Promise<void>;
  /** Runs periodically while the session is open. */
  renew(ask: Ask): Promise<void>;
  /** Called when the session is lost. */
  lost(): void;
}

/** The one long-lived connection of a process to a database server: for notices, locks and leases. */
export interface ServerSession extends Notices {
  /** Maintains `work` on the session from now on; resolves after its first `open`. */
  keep(work: SessionWork): Promise<void>;
  close(): Promise<void>;
}

/** The channel for all notices between gateways. */
export const noticeChannel = 'gatecheck_notices';
/** PostgreSQL refuses texts of 8,000 bytes and more. */
export const maxNoticeBytes = 7_000;

/** Interval between renewals of work. */
const renewMs = 1_500;
/** Maximum wait for an answer: a broken network path does not close the connection. */
const answerMs = 2_000;
const connectMs = 3_000;
const againMs = 500;
const leaveMs = 1_000;

export interface SessionParts {
  readonly log: Pick<Logger, 'warn'>;
  /** The link to use, if tests are to cut the connection. */
  readonly link: StoreLink | null;
  readonly connectTimeoutMs: number;
  /** Called with the reason why the session was lost. */
  readonly onFailure: (error: unknown) => void;
}

export function openSession(
  server: Pick<ServerAddress, 'url' | 'ssl'>,
  { log, link, connectTimeoutMs, onFailure }: SessionParts,
): ServerSession {
  const hearers: ((text: string) => void)[] = [];
  const works: SessionWork[] = [];
  const config = {
    ...clientConfig(server, link),
    connectionTimeoutMillis: Math.min(connectMs, connectTimeoutMs),
    query_timeout: answerMs,
  };
  let current: Opened | null = null;
  let again: NodeJS.Timeout | null = null;

  const hear = (text: string): void => {
    for (const one of hearers) one(text);
  };
  const lose = (error?: Error): void => {
    current = null;
    onFailure(error);
    for (const work of works) work.lost();
    log.warn({ reason: error?.message }, 'the session with the database is opened again');
    again = setTimeout(open, againMs);
  };
  const open = (): void => {
    current = openOnce(config, works, hear, lose);
  };
  open();
  return {
    get isHeard() {
      return current?.isOpen === true;
    },
    onNotice: (one) => void hearers.push(one),
    send: async (text) => {
      if (current?.isOpen !== true) throw new Error('the session with the database is lost');
      await current.send(text);
    },
    keep: (work) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const opened = async (ask: Ask): Promise<void> => {
        await work.opened(ask);
        resolve();
      };
      const kept = { opened, renew: (ask: Ask) => work.renew(ask), lost: () => work.lost() };
      works.push(kept);
      current?.begin(kept);
      return promise;
    },
    close: async () => {
      if (again !== null) clearTimeout(again);
      const ended = current?.end().catch(() => {});
      // A silent network never reports that the connection is closed.
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, leaveMs);
      await Promise.race([ended, late]);
      clearTimeout(timer);
    },
  };
}

/** One connection of the session. */
interface Opened {
  readonly isOpen: boolean;
  /** Opens work that was added later; existing work opens with the connection. */
  begin(work: SessionWork): void;
  send(text: string): Promise<void>;
  end(): Promise<void>;
}

/**
 * Maintains the works until the connection is ended, breaks or falls silent; then calls `onLost` once, except after `end`.
 */
function openOnce(
  config: pg.ClientConfig,
  works: readonly SessionWork[],
  hear: (text: string) => void,
  onLost: (error?: Error) => void,
): Opened {
  const client = new pg.Client(config);
  let isOpen = false;
  let isOver = false;
  let next: NodeJS.Timeout | null = null;

  const finish = (): void => {
    isOver = true;
    isOpen = false;
    if (next !== null) clearTimeout(next);
  };
  const lose = (error?: Error): void => {
    if (isOver) return;
    finish();
    onLost(error);
  };
  const fail = async (error: unknown): Promise<void> => {
    lose(error instanceof Error ? error : undefined);
    await client.end().catch(() => {});
  };
  const ask: Ask = async (statement, values) =>
    (await client.query(statement, values === undefined ? undefined : [...values])).rows;
  const renewLater = (): void => {
    if (!isOver) next = setTimeout(() => void renew().catch(fail), renewMs);
  };
  const renew = async (): Promise<void> => {
    await ask('select 1');
    for (const work of works) await work.renew(ask);
    renewLater();
  };
  const open = async (): Promise<void> => {
    await client.connect();
    await ask(`${sessionSettings(answerMs)}; listen ${noticeChannel}`);
    for (const work of works) await work.opened(ask);
    if (isOver) return;
    isOpen = true;
    renewLater();
  };
  client.on('notification', ({ payload = '' }) => hear(payload));
  client.on('error', lose);
  client.on('end', () => lose());
  void open().catch(fail);
  return {
    get isOpen() {
      return isOpen;
    },
    begin: (work) => {
      if (isOpen) void work.opened(ask).catch(fail);
    },
    send: async (text) => void (await ask(`select pg_notify('${noticeChannel}', $1)`, [text])),
    end: () => {
      finish();
      return client.end();
    },
  };
}
