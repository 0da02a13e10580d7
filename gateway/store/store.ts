import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, PostgresDialect } from 'kysely';
import type { Logger } from 'pino';
import { createPool, embeddedPort, type StoreAddress } from './connection-pool.ts';
import { type DataDir, openDataDir, socketFolder } from './data-dir.ts';
import type { Database } from './database.ts';
import { type EmbeddedServer, startEmbeddedServer } from './embedded-server.ts';
import { migrate } from './migrate.ts';
import { listenForNotices, type Notices } from './notices.ts';
import { readServerUrl } from './server-address.ts';
import type { ServerTls } from './server-tls.ts';
import { reasonOf, StoreError } from './store-errors.ts';
import { identityOf, identitySince, nameStore, type StoreIdentity } from './store-identity.ts';
import type { StoreLink } from './store-link.ts';

/** The open database with an up-to-date schema. */
export interface Store {
  readonly db: Kysely<Database>;
  /**
   * 'embedded': in a thread of this process, for this process alone. It survives SIGKILL, but not a power loss.
   */
  readonly kind: 'embedded' | 'server';
  /** What processes that share a server tell each other; null where there is but one. */
  readonly notices: Notices | null;
  /**
   * Keeps what the ledger held at the call before, so that the next start misses those entries too if they are gone.
   * They are old enough by then to be on the disk. Null where the database is not in a directory of ours.
   */
  readonly checkpoint: (() => Promise<void>) | null;
  /** Waits for the queries in flight, then releases everything, including the data directory. */
  close(): Promise<void>;
}

export interface OpenStoreOptions {
  /** Directory of the embedded database; ignored if `url` is given. */
  dataDir?: string;
  /** Where an unused cluster is kept, of which a new data directory gets a copy: for stacks that live for one run. */
  keptClusters?: string;
  /** A PostgreSQL server, 15 or newer. */
  url?: string;
  /** Where words about encryption are looked up that `url` does not have. */
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
  const server = readServerUrl(url, options.env ?? {});
  const db = connect(server, options);
  try {
    await migrateOrExplain(db, server.place, server.explain);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  const notices = listenForNotices(server, options.log, options.link ?? null);
  const close = async (): Promise<void> => {
    await notices.close();
    await db.destroy();
  };
  return { db, kind: 'server', notices, checkpoint: null, close };
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
    // A database that died cannot tell what it holds; the next start compares with what was kept before.
    if (closing === null && db !== null)
      await identityOf(db, null, dir.path).then(dir.identify, () => undefined);
    await close();
  };
  let atStart: StoreIdentity;
  try {
    socketDir = makeSocketDir(dir.path);
    server = await startServer(dir, socketDir, options);
    db = connect({ socketDir }, options);
    await migrateOrExplain(db, dir.path);
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
  return { db, kind: 'embedded', notices: null, checkpoint, close: keepAndClose };
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
  );
  return server;
}

function connect(address: StoreAddress, { log, link }: OpenStoreOptions): Kysely<Database> {
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool: createPool(address, log, link) }) });
}

async function migrateOrExplain(
  db: Kysely<Database>,
  place: string,
  explain: ServerTls['explain'] = () => null,
): Promise<void> {
  try {
    await migrate(db, place);
  } catch (error) {
    if (error instanceof StoreError) {
      throw error;
    }
    const reason = explain(error) ?? reasonOf(error);
    throw new StoreError(`The database in ${place} cannot be used: ${reason}.`, { cause: error });
  }
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
