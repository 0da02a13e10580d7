import pg from 'pg';
import type { Logger } from 'pino';
import type { ServerAddress } from './server-address.ts';
import type { StoreLink } from './store-link.ts';

/** Where the pool connects to: the directory of a unix socket, or a server. */
export type StoreAddress = { socketDir: string } | Pick<ServerAddress, 'url' | 'ssl'>;

/** The port of the embedded socket: PostgreSQL puts it into the socket's file name. */
export const embeddedPort = 5432;

/** What one process asks of its database. */
export interface PoolLimits {
  readonly connections: number;
  /** How long a connection may take, or a statement wait for one. */
  readonly connectTimeoutMs: number;
  /** Null: as long as it takes. */
  readonly statementTimeoutMs: number | null;
}

/** What holds where nothing else is said. */
export const usualLimits: PoolLimits = {
  connections: 10,
  connectTimeoutMs: 30_000,
  statementTimeoutMs: 60_000,
};
/** A server that ends a statement by itself has so long to say so. */
const answerSlackMs = 1_000;
const embeddedConnections = 5;
const int8Oid = 20;

/** The statement that each request waits for: a server parses it once a connection. */
const prepared = { name: 'settle_covered', begin: 'select settle_covered(' } as const;

/**
 * The only place where connections are configured.
 *
 * 64-bit integers arrive as bigint: token counts and money must not pass through a float. Statements have names only where each
 * connection `hasSession`: all connections to the embedded database share one, and its names. With a `link` every connection
 * goes through it.
 */
export function createPool(
  address: StoreAddress,
  log: Pick<Logger, 'warn'>,
  link: StoreLink | null,
  { limits = usualLimits, hasSession = false }: { limits?: PoolLimits; hasSession?: boolean } = {},
): pg.Pool {
  pg.types.setTypeParser(int8Oid, BigInt);
  const pool = new pg.Pool({
    ...('url' in address
      ? { ...clientConfig(address, link), max: limits.connections }
      : {
          host: address.socketDir,
          port: embeddedPort,
          user: 'postgres',
          database: 'postgres',
          max: embeddedConnections,
          ...(link !== null && { stream: link.openSocket }),
        }),
    connectionTimeoutMillis: limits.connectTimeoutMs,
    ...(limits.statementTimeoutMs !== null && { query_timeout: limits.statementTimeoutMs + answerSlackMs }),
  });
  // A connection that breaks during a statement rejects that statement, and then also emits an error event.
  pool.on('connect', (client) => {
    client.on('error', () => {});
    endWhenHung(client);
    if (hasSession) prepare(client);
  });
  // An idle connection that breaks is replaced at the next query. Without a listener the event would end the
  // process.
  pool.on('error', (error) => log.warn({ reason: error.message }, 'an idle database connection broke'));
  return pool;
}

/**
 * What a server is told on each connection: it ends by itself what a host that vanished left open. Without it an open
 * transaction of such a host keeps its locks for as long as the server's keepalive, which is hours.
 */
export function sessionSettings(statementTimeoutMs: number | null): string {
  return Object.entries({
    statement_timeout: statementTimeoutMs ?? 0,
    idle_in_transaction_session_timeout: 5_000,
    tcp_keepalives_idle: 5,
    tcp_keepalives_interval: 2,
    tcp_keepalives_count: 2,
    tcp_user_timeout: 10_000,
  })
    .map(([name, value]) => `set ${name} = ${value}`)
    .join('; ');
}

/** What every connection to a server has in common. */
export function clientConfig(
  { url, ssl }: Pick<ServerAddress, 'url' | 'ssl'>,
  link: StoreLink | null,
): pg.ClientConfig {
  return {
    connectionString: url,
    ssl,
    application_name: 'gatecheck',
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    ...(link !== null && { stream: link.openSocket }),
  };
}

/** A connection whose statement found no answer in time is closed: every later one on it would wait behind that. */
function endWhenHung(client: pg.PoolClient): void {
  const query: (...given: unknown[]) => unknown = client.query.bind(client);
  const watched = (...given: unknown[]): unknown => {
    const result = query(...given);
    if (result instanceof Promise)
      result.catch((error) => {
        if (isUnanswered(error) && client instanceof pg.Client) void client.end().catch(() => {});
      });
    return result;
  };
  Object.assign(client, { query: watched });
}

function prepare(client: pg.PoolClient): void {
  const query: (...given: unknown[]) => unknown = client.query.bind(client);
  const named = (text: unknown, values: unknown, ...rest: unknown[]): unknown =>
    typeof text === 'string' && text.startsWith(prepared.begin)
      ? query({ name: prepared.name, text, values }, ...rest)
      : query(text, values, ...rest);
  Object.assign(client, { query: named });
}

function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}
