import pg from 'pg';
import type { Logger } from 'pino';
import type { ServerAddress } from './server-address.ts';
import type { StoreLink } from './store-link.ts';

/** Where the pool connects to: the directory of a unix socket, or a server. */
export type StoreAddress = { socketDir: string } | Pick<ServerAddress, 'url' | 'ssl'>;

/** The port for the embedded socket: PostgreSQL puts it into the file name of the socket. */
export const embeddedPort = 5432;

/** Limits of one process on its database use. */
export interface PoolLimits {
  readonly connections: number;
  /** Maximum time to connect, and to wait for a free connection. */
  readonly connectTimeoutMs: number;
  /** Null: no limit. */
  readonly statementTimeoutMs: number | null;
}

export interface PoolOptions {
  readonly limits?: PoolLimits;
  /** Whether each connection has a session of its own on the server. */
  readonly hasSession?: boolean;
  /** Watches for connections that fall silent. */
  readonly silent?: { watch(client: pg.PoolClient): void } | undefined;
}

/** Default limits. */
export const usualLimits: PoolLimits = {
  connections: 10,
  connectTimeoutMs: 30_000,
  statementTimeoutMs: 60_000,
};
/** Extra time for the server to report that it has cancelled a statement. */
const answerSlackMs = 1_000;
const embeddedConnections = 5;
const int8Oid = 20;

/** The statement on the path of every request. It is prepared, so that a server parses it once per connection. */
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
  { limits = usualLimits, hasSession = false, silent }: PoolOptions = {},
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
    silent?.watch(client);
  });
  // An idle connection that breaks is replaced at the next query. Without a listener the event would end the
  // process.
  pool.on('error', (error) => log.warn({ reason: error.message }, 'an idle database connection broke'));
  return pool;
}

/**
 * Settings sent on each connection. They let the server end transactions of a host that has vanished. Without them such a
 * transaction keeps its locks until the server's keepalive fails, after hours.
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

/** The settings that every connection to a server shares. */
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

/** Closes a connection whose statement timed out: every later statement on it would wait behind that one. */
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
