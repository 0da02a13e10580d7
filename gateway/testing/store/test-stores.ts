import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { copyCluster } from './test-cluster.ts';

// For tests only: places to open a store in. One list for all suites that must pass on every kind of store.

/** A log that discards everything. */
export const silentLog = pino({ level: 'silent' });

/** The options by which `openStore` finds a database. */
export type StorePlace = { dataDir: string } | { url: string };

/** A new, empty place and a function that removes it. */
export interface FreshPlace {
  place: StorePlace;
  remove(): Promise<void>;
}

export interface StoreKind {
  name: 'embedded' | 'server';
  fresh(): Promise<FreshPlace>;
}

const servers = serverKinds(process.env.GATECHECK_TEST_DATABASE_URL);

/**
 * The kinds of stores to test: embedded, plus a PostgreSQL server if GATECHECK_TEST_DATABASE_URL names one. With
 * GATECHECK_TEST_STORE `server`, only the server, for example to test another version.
 */
export const storeKinds: readonly StoreKind[] =
  process.env.GATECHECK_TEST_STORE === 'server'
    ? servers
    : [{ name: 'embedded', fresh: freshCluster }, ...servers];

/** The server for tests that need one; they are skipped if there is none. */
export const server: { readonly isMissing: boolean; readonly fresh: StoreKind['fresh'] } = {
  isMissing: servers.length === 0,
  fresh: servers[0]?.fresh ?? freshCluster,
};

/** An empty directory for an embedded store. */
export function freshDataDir(): { place: { dataDir: string }; remove(): Promise<void> } {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatecheck-test-'));
  return { place: { dataDir }, remove: async () => rmSync(dataDir, { recursive: true, force: true }) };
}

/** A directory with an unused cluster: opens like a new one, but faster. */
export async function freshCluster(): Promise<{ place: { dataDir: string }; remove(): Promise<void> }> {
  const fresh = freshDataDir();
  await copyCluster(fresh.place.dataDir);
  return fresh;
}

function serverKinds(adminUrl: string | undefined): StoreKind[] {
  return adminUrl === undefined || adminUrl === ''
    ? []
    : [{ name: 'server', fresh: () => freshDatabase(adminUrl) }];
}

/** A database whose owner has no rights beyond it, as in production. */
async function freshDatabase(adminUrl: string): Promise<FreshPlace> {
  const name = `gatecheck_test_${randomBytes(6).toString('hex')}`;
  const password = randomBytes(16).toString('hex');
  await asAdmin(adminUrl, [
    `create role ${name} login password '${password}'`,
    `create database ${name} owner ${name}`,
  ]);
  return {
    place: { url: urlAs(adminUrl, name, password, name) },
    remove: () =>
      asAdmin(adminUrl, [`drop database if exists ${name} with (force)`, `drop role if exists ${name}`]),
  };
}

/** The URL of the same server for another user and database. */
export function urlAs(adminUrl: string, user: string, password: string, database: string): string {
  return Object.assign(new URL(adminUrl), { username: user, password, pathname: `/${database}` }).href;
}

/** Runs each of these statements separately. */
export async function asAdmin(adminUrl: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
