import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { CompiledQuery, type DatabaseConnection, Kysely, PostgresDialect, sql } from 'kysely';
import type { Logger } from 'pino';
import {
  createPool,
  embeddedPort,
  type PoolLimits,
  type StoreAddress,
  sessionSettings,
  usualLimits,
} from './connection-pool.ts';
import { type DataDir, openDataDir, socketFolder } from './data-dir.ts';
import type { Database } from './database.ts';
import { type EmbeddedServer, startEmbeddedServer } from './embedded-server.ts';
import { migrate } from './migrate.ts';
import { readServerUrl, type ServerAddress } from './server-address.ts';
import { openSession, type ServerSession } from './server-session.ts';
import { demandSessions } from './server-sessions.ts';
import { SilentConnections } from './silent-connections.ts';
import { reasonOf, StoreError } from './store-errors.ts';
import { identityOf, identitySince, nameServer, nameStore, type StoreIdentity } from './store-identity.ts';
import type { StoreLink } from './store-link.ts';
import { createWriteCheck, type WriteCheck } from './write-check.ts';

/** The open database with an up-to-date schema. */
export interface Store {
  readonly db: Kysely<Database>;
  /** What distinguishes this database from any other. */
  readonly id: string;
  /**
   * 'embedded': in a thread of this process, for this process alone. It survives SIGKILL, but not a power loss.
   */
  readonly kind: 'embedded' | 'server';
  /** The connection for session state: leases, locks, notices. Null for the embedded store, which has one process. */
  readonly session: ServerSession | null;
  /**
   * Records what the ledger held at the previous call; by now those entries are on the disk. The next start then detects
   * their loss. Null if the database is not in a data directory.
   */
  readonly checkpoint: (() => Promise<void>) | null;
  /**
   * Resolves if the database answers and takes writes.
   * @throws NoWrites, or what the database throws
   */
  check(): Promise<void>;
  /** Waits for the queries in flight, then releases everything, including the data directory. */
  close(): Promise<void>;
}

export interface OpenStoreOptions {
  /** Directory of the embedded database; ignored if `url` is given. */
  dataDir?: string;
  /** Where an unused cluster is kept, from which new data directories are copied: for stacks that live for one run. */
  keptClusters?: string;
  /** The thread for the embedded database, if it was started in advance. */
  thread?: Worker;
  /** A PostgreSQL server, 15 or newer. */
  url?: string;
  /** The URL of the server itself, if `url` points to a pooler without sessions. */
  sessionUrl?: string;
  limits?: PoolLimits;
  /** The source of encryption settings that `url` does not have. */
  env?: Readonly<Record<string, string | undefined>>;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** The link to use, if tests are to cut the connection. */
  link?: StoreLink;
  /** Called once if the embedded database dies; every later query fails. */
  onFailure?: (error: StoreError) => void;
}

/**
 * Opens the configured database and migrates it.
 *
 * Throws DataDirLocked, DataDirUnusable, SchemaTooNew or another StoreError. Each message is one sentence for the
 * operator that names the location and contains no password.
 */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  if (options.url !== undefined) {
    return await openServerStore(options.url, options);
  }
  if (options.dataDir !== undefined) {
    return await openEmbeddedStore(options.dataDir, options);
  }
  throw new StoreError('The store needs a data directory or the URL of a PostgreSQL server.');
}

async function openServerStore(url: string, options: OpenStoreOptions): Promise<Store> {
  const { env = {}, limits = usualLimits, link = null, log, sessionUrl } = options;
  const server = readServerUrl(url, env);
  const direct = sessionUrl === undefined ? server : readServerUrl(sessionUrl, env);
  const id = await prepareServer(direct, { ...options, limits: { ...limits, ...migrating } });
  const writes = createWriteCheck(log);
  // The server does not know the connections of a pooler.
  const silent = direct === server ? new SilentConnections() : undefined;
  const db = connect(server, options, writes, silent);
  if (direct !== server) await demandAnswer(db, server);
  const session = openSession(direct, {
    log,
    link,
    connectTimeoutMs: limits.connectTimeoutMs,
    onFailure: writes.failed,
  });
  if (silent !== undefined) void session.keep(silent);
  const close = async (): Promise<void> => {
    await session.close();
    await db.destroy();
  };
  return { db, id, kind: 'server', session, checkpoint: null, check: () => writes.run(db), close };
}

/**
 * Checks that a pooler answers, once its server is known to work.
 * @throws StoreError
 */
async function demandAnswer(db: Kysely<Database>, pooler: ServerAddress): Promise<void> {
  try {
    await sql`select 1`.execute(db);
  } catch (error) {
    await db.destroy();
    explainFailure(error, pooler);
  }
}

/** No statement timeout: a migration may take long, and may wait for that of another process. */
const migrating = { connections: 2, statementTimeoutMs: null };

/** Migrates over its own connections; returns the id of the database. */
async function prepareServer(server: ServerAddress, options: OpenStoreOptions): Promise<string> {
  const db = connect(server, options);
  try {
    await migrate(db, server.place);
    await demandSessions(server, options.link ?? null);
    return await nameServer(db);
  } catch (error) {
    explainFailure(error, server);
  } finally {
    await db.destroy();
  }
}

async function openEmbeddedStore(dataDir: string, options: OpenStoreOptions): Promise<Store> {
  const dir = openDataDir(dataDir);
  let socketDir: string | null = null;
  let server: EmbeddedServer | null = null;
  let db: Kysely<Database> | null = null;
  const letGo = async (): Promise<void> => {
    await db?.destroy();
    await server?.close();
    if (socketDir !== null) {
      rmSync(socketDir, { recursive: true, force: true });
    }
    dir.release();
  };
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= letGo();
    return closing;
  };
  const keepAndClose = async (): Promise<void> => {
    // A failed database cannot report its ledger; the next start compares with the previous record.
    if (closing === null && db !== null)
      await identityOf(db, null, dir.path).then(dir.identify, () => undefined);
    await close();
  };
  const writes = createWriteCheck(options.log);
  let atStart: StoreIdentity;
  try {
    socketDir = makeSocketDir(dir.path);
    server = await startServer(dir, socketDir, options);
    db = connect({ socketDir }, options, writes);
    await migrate(db, dir.path).catch((error) => explainFailure(error, { place: dir.path }));
    await nameStore(db, dir.identity);
    atStart = await identityOf(db, dir.identity, dir.path);
    dir.identify(atStart);
  } catch (error) {
    await close();
    throw error;
  }
  options.log.info(
    { data_dir: dir.path },
    'the embedded store is open: it survives a killed process, not a power loss',
  );
  const checkpoint = checkpointsOf(db, dir, atStart);
  const open = db;
  const check = (): Promise<void> => writes.run(open);
  return { db, id: atStart.store, kind: 'embedded', session: null, checkpoint, check, close: keepAndClose };
}

function checkpointsOf(db: Kysely<Database>, dir: DataDir, atStart: StoreIdentity): () => Promise<void> {
  let seen = atStart;
  return async () => {
    const now = await identitySince(db, seen);
    dir.identify(seen);
    seen = now;
  };
}

async function startServer(
  dir: DataDir,
  socketDir: string,
  options: OpenStoreOptions,
): Promise<EmbeddedServer> {
  const server = await startEmbeddedServer(
    {
      postgresDir: dir.postgres,
      socketPath: socketPathIn(socketDir),
      ...(options.keptClusters !== undefined && { keptIn: options.keptClusters }),
    },
    (error) => {
      options.log.error({ reason: error.message }, 'the embedded store failed');
      options.onFailure?.(error);
    },
    options.thread,
  );
  return server;
}

function connect(
  address: StoreAddress,
  options: OpenStoreOptions,
  writes?: Pick<WriteCheck, 'failed'>,
  silent?: SilentConnections,
): Kysely<Database> {
  const { log, link, limits = usualLimits, sessionUrl } = options;
  // A pooler without sessions would pass settings and prepared statements on to the next client.
  const hasSession = 'url' in address && sessionUrl === undefined;
  const pool = createPool(address, log, link ?? null, { limits, hasSession, silent });
  const onCreateConnection = async (connection: DatabaseConnection): Promise<void> => {
    if (hasSession)
      await connection.executeQuery(CompiledQuery.raw(sessionSettings(limits.statementTimeoutMs)));
  };
  return new Kysely<Database>({
    dialect: new PostgresDialect({ pool, onCreateConnection }),
    log: (event) => {
      if (event.level === 'error') writes?.failed(event.error);
    },
  });
}

/**
 * Rethrows a StoreError; wraps any other error in one.
 * @throws StoreError always
 */
function explainFailure(
  error: unknown,
  { place, explain = () => null }: Pick<ServerAddress, 'place'> & Partial<ServerAddress>,
): never {
  if (error instanceof StoreError) throw error;
  const reason = explain(error) ?? reasonOf(error);
  throw new StoreError(`The database in ${place} cannot be used: ${reason}.`, { cause: error });
}

/** The path of a unix socket has at most 107 bytes on Linux and 103 elsewhere. */
const maxSocketPathBytes = 103;

/**
 * A private directory for the socket. It is in the data directory, where a killed process leaves nothing behind.
 * If that path is too long, it is in the system's temporary directory.
 */
function makeSocketDir(dataDir: string): string {
  const preferred = join(dataDir, socketFolder);
  if (Buffer.byteLength(socketPathIn(preferred)) <= maxSocketPathBytes) {
    rmSync(preferred, { recursive: true, force: true });
    mkdirSync(preferred, { mode: 0o700 });
    return preferred;
  }
  return mkdtempSync(join(tmpdir(), 'gatecheck-'));
}

function socketPathIn(dir: string): string {
  return join(dir, `.s.PGSQL.${embeddedPort}`);
}
