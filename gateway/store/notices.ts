import pg from 'pg';
import type { Logger } from 'pino';
import { clientConfig } from './connection-pool.ts';
import type { ServerAddress } from './server-address.ts';
import type { StoreLink } from './store-link.ts';

/** Short texts from one process to all that share a database server. Those sent while one does not listen are lost to it. */
export interface Notices {
  /** Whether this process hears notices now. */
  readonly isHeard: boolean;
  onNotice(hear: (text: string) => void): void;
  close(): Promise<void>;
}

/** The channel of all notices of gateways. */
export const noticeChannel = 'gatecheck_notices';
/** PostgreSQL refuses texts of 8,000 bytes and more. */
export const maxNoticeBytes = 7_000;

const againMs = 1_000;
const leaveMs = 1_000;
/** The wait between two questions, and for an answer: a network that has lost its way closes nothing. */
const askMs = 2_000;
const answerMs = 5_000;

/** Listens on a connection of its own, which is opened again when it breaks or falls silent. */
export function listenForNotices(
  server: Pick<ServerAddress, 'url' | 'ssl'>,
  log: Pick<Logger, 'warn'>,
  link: StoreLink | null,
  connectTimeoutMs: number,
): Notices {
  const hearers: ((text: string) => void)[] = [];
  const config = { ...clientConfig(server, link), connectionTimeoutMillis: connectTimeoutMs };
  let listening: Listening | null = null;
  let again: NodeJS.Timeout | null = null;

  const hear = (text: string): void => {
    for (const one of hearers) one(text);
  };
  const lose = (error?: Error): void => {
    listening = null;
    log.warn({ reason: error?.message }, 'notices of other processes are not heard');
    again = setTimeout(listen, againMs);
  };
  const listen = (): void => {
    listening = listenOnce(config, hear, lose);
  };
  listen();
  return {
    get isHeard() {
      return listening?.isHeard === true;
    },
    onNotice: (one) => void hearers.push(one),
    close: async () => {
      if (again !== null) clearTimeout(again);
      const ended = listening?.end().catch(() => {});
      // A network that has fallen silent never says that the connection is closed.
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, leaveMs);
      await Promise.race([ended, late]);
      clearTimeout(timer);
    },
  };
}

/** A connection that listens. */
interface Listening {
  readonly isHeard: boolean;
  end(): Promise<void>;
}

/** Listens on one connection until it is ended, breaks or falls silent; `onLost` is called once then, but for the first. */
function listenOnce(
  config: pg.ClientConfig,
  hear: (text: string) => void,
  onLost: (error?: Error) => void,
): Listening {
  const client = new pg.Client({ ...config, query_timeout: answerMs, keepAlive: true });
  let isHeard = false;
  let isOver = false;
  let next: NodeJS.Timeout | null = null;

  const finish = (): void => {
    isOver = true;
    isHeard = false;
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
  const ask = async (statement: string): Promise<void> => {
    await client.query(statement);
    if (isOver) return;
    isHeard = true;
    next = setTimeout(() => void ask('select 1').catch(fail), askMs);
  };
  client.on('notification', ({ payload = '' }) => hear(payload));
  client.on('error', lose);
  client.on('end', () => lose());
  client
    .connect()
    .then(() => ask(`listen ${noticeChannel}`))
    .catch(fail);
  return {
    get isHeard() {
      return isHeard;
    },
    end: () => {
      finish();
      return client.end();
    },
  };
}
