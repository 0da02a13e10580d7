import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { copyCluster } from './test-cluster.ts';

// For tests only: places to open a store in, one list for all suites that must hold on every kind.

/** A log that goes nowhere. */
export const silentLog = pino({ level: 'silent' });

/** What `openStore` needs to find a database. */
export type StorePlace = { dataDir: string } | { url: string };

/** A new, empty place and how to get rid of it. */
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
 * The embedded store, and a PostgreSQL server where GATECHECK_TEST_DATABASE_URL names one; that alone where
 * GATECHECK_TEST_STORE is `server`, as for another version of it.
 */
export const storeKinds: readonly StoreKind[] =
  process.env.GATECHECK_TEST_STORE === 'server'
    ? servers
    : [{ name: 'embedded', fresh: freshCluster }, ...servers];

/** For tests of what only a server can do: to be skipped where there is none. */
export const server: { readonly isMissing: boolean; readonly fresh: StoreKind['fresh'] } = {
  isMissing: servers.length === 0,
  fresh: servers[0]?.fresh ?? freshCluster,
};

/** An empty directory for an embedded store. */
export function freshDataDir(): { place: { dataDir: string }; remove(): Promise<void> } {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatecheck-test-'));
  return { place: { dataDir }, remove: async () => rmSync(dataDir, { recursive: true, force: true }) };
}

/** A directory with a cluster that nobody has used: opens as a new one does, but quickly. */
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

/** A database whose owner has no right beyond it, as operators have it. */
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

/** Runs these statements, each by itself. */
export async function asAdmin(adminUrl: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
