import pg from 'pg';
import type { Logger } from 'pino';
import type { StoreLink } from './store-link.ts';

/** Where the pool connects: the directory of a unix socket, or a server's URL. */
export type StoreAddress = { socketDir: string } | { url: string };

/** The port of the embedded socket: PostgreSQL puts it into the socket's file name. */
export const EMBEDDED_PORT = 5432;

const EMBEDDED_CONNECTIONS = 5;
const SERVER_CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 30_000;
const QUERY_TIMEOUT_MS = 60_000;
const INT8_OID = 20;

/**
 * The one place where connections are configured.
 *
 * 64-bit integers arrive as bigint: token counts and money must not pass through a float. No statement is
 * ever given a name, because all connections to the embedded database share one session and its names. With a
 * `link` every connection goes through it.
 */
export function createPool(
  address: StoreAddress,
  log: Pick<Logger, 'warn'>,
  link: StoreLink | null = null,
): pg.Pool {
  pg.types.setTypeParser(INT8_OID, BigInt);
  const pool = new pg.Pool({
    ...('url' in address
      ? { connectionString: address.url, max: SERVER_CONNECTIONS, application_name: 'gatecheck' }
      : {
          host: address.socketDir,
          port: EMBEDDED_PORT,
          user: 'postgres',
          database: 'postgres',
          max: EMBEDDED_CONNECTIONS,
        }),
    ...(link !== null && { stream: link.openSocket }),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
  });
  // A connection that breaks under a statement rejects that statement and then says so once more, as an event.
  pool.on('connect', (client) => client.on('error', () => {}));
  // An idle connection that breaks is replaced at the next query; without a listener it would end the process.
  pool.on('error', (error) => log.warn({ reason: error.message }, 'an idle database connection broke'));
  return pool;
}
