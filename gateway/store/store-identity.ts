import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Database } from './database.ts';
import { StoreError } from './store-errors.ts';

/** The file in a data directory that says which database belongs there. */
export const identityFile = 'store.json';

const identitySchema = z.object({
  /** What PostgreSQL calls the system identifier: drawn once, when the cluster is made. */
  system: z.string().regex(/^\d+$/),
  /** What the ledger held when this was written; entries are only ever added. */
  ledger: z.object({
    /** The newest entry. */
    last: z.string().regex(/^\d+$/),
    /** How many there were up to it. */
    entries: z.string().regex(/^\d+$/),
    /** The sum of their amounts above zero, in trillionths of a dollar. */
    gained_pico: z.string().regex(/^\d+$/),
  }),
});

export type StoreIdentity = z.infer<typeof identitySchema>;

/**
 * What the directory says of its database; null when it says nothing, as before its first start has ended.
 * @throws Error when the file cannot be understood
 */
export function readIdentity(dataDir: string): StoreIdentity | null {
  const path = join(dataDir, identityFile);
  if (!existsSync(path)) return null;
  try {
    return identitySchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new Error(`its ${identityFile} is damaged`, { cause: error });
  }
}

export function writeIdentity(dataDir: string, identity: StoreIdentity): void {
  const path = join(dataDir, identityFile);
  writeFileSync(`${path}.new`, `${JSON.stringify(identity)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

export function removeIdentity(dataDir: string): void {
  rmSync(join(dataDir, identityFile), { force: true });
}

/** Which database this is, and what its ledger holds up to an entry; up to the newest without one. */
export async function identityOf(db: Kysely<Database>, last?: string): Promise<StoreIdentity> {
  const upTo = last === undefined ? sql`` : sql`where id <= ${last}::bigint`;
  const { rows } = await sql<{ system: string; last: string; entries: string; gained_pico: string }>`
    select (select system_identifier from pg_control_system())::text as system,
      coalesce(max(id), 0)::text as last, count(*)::text as entries,
      trunc(coalesce(sum(amount_pico) filter (where amount_pico > 0), 0))::text as gained_pico
    from ledger_entries ${upTo}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new StoreError('The database does not say what it is.');
  const { system, ...ledger } = row;
  return { system, ledger };
}

/**
 * Compares the database with what the directory says of it.
 * @throws StoreError when it is another database, or its ledger has lost or changed entries
 */
export async function verifyIdentity(
  db: Kysely<Database>,
  known: StoreIdentity,
  place: string,
): Promise<void> {
  const found = await identityOf(db, known.ledger.last);
  const advice = 'Nothing was changed. Restore a backup, or choose another directory';
  if (found.system !== known.system)
    throw new StoreError(
      `The database in ${place} is not the one that belongs there: its identifier is ${found.system}, not ${known.system}. ${advice}.`,
    );
  const { entries, gained_pico: gained } = known.ledger;
  if (found.ledger.entries !== entries || found.ledger.gained_pico !== gained)
    throw new StoreError(
      `The ledger in ${place} is damaged: ${found.ledger.entries} of its first ${entries} entries are there, which gain ${found.ledger.gained_pico} of ${gained}. ${advice}.`,
    );
}
