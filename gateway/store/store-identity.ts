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
  /** What the store calls itself, drawn at its first start. */
  store: z.string(),
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

/** What a server's database calls itself: drawn once, by whichever process comes first. */
export async function nameServer(db: Kysely<Database>): Promise<string> {
  await sql`insert into store_identity default values on conflict (only_row) do nothing`.execute(db);
  const { rows } = await sql<{ id: string }>`select id::text from store_identity`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new StoreError('The database has no row in store_identity.');
  return row.id;
}

interface Look {
  readonly system: string;
  readonly store: string;
  readonly last: string;
  readonly entries: string;
  readonly gained_pico: string;
  /** The same up to the entry that was the newest before. */
  readonly entries_before: string;
  readonly gained_pico_before: string;
}

/**
 * Lets a store draw its own name where its directory does not know one: at its first start, whatever the cluster was
 * copied from.
 */
export async function nameStore(db: Kysely<Database>, known: StoreIdentity | null): Promise<void> {
  if (known !== null) return;
  await sql`
    insert into store_identity default values
    on conflict (only_row) do update set id = excluded.id`.execute(db);
}

/**
 * Which database this is, and what its ledger holds. Compares it with what the directory says, if that says anything.
 * @throws StoreError when it is another database, or its ledger has lost or changed entries
 */
export async function identityOf(
  db: Kysely<Database>,
  known: StoreIdentity | null,
  place: string,
): Promise<StoreIdentity> {
  const found = await lookAt(db, known?.ledger.last ?? '0');
  if (known !== null) refuseOther(found, known, place);
  const { system, store, last, entries, gained_pico } = found;
  return { system, store, ledger: { last, entries, gained_pico } };
}

/**
 * What is known of a database, with the ledger's entries that came since. Reads those alone.
 * @throws StoreError when the database does not answer
 */
export async function identitySince(db: Kysely<Database>, known: StoreIdentity): Promise<StoreIdentity> {
  const { last, entries, gained_pico: gained } = known.ledger;
  const { rows } = await sql<StoreIdentity['ledger']>`
    select coalesce(max(id), ${last}::bigint)::text as last, count(*)::text as entries,
      trunc(coalesce(sum(amount_pico) filter (where amount_pico > 0), 0))::text as gained_pico
    from ledger_entries where id > ${last}::bigint`.execute(db);
  const [since] = rows;
  if (since === undefined) throw new StoreError('The database returned no sum of ledger_entries.');
  const ledger = {
    last: since.last,
    entries: String(BigInt(entries) + BigInt(since.entries)),
    gained_pico: String(BigInt(gained) + BigInt(since.gained_pico)),
  };
  return { ...known, ledger };
}

/** Reads the ledger once, however long it is. */
async function lookAt(db: Kysely<Database>, before: string): Promise<Look> {
  const { rows } = await sql<Look>`
    select (select system_identifier from pg_control_system())::text as system,
      (select id from store_identity)::text as store,
      coalesce(max(id), 0)::text as last, count(*)::text as entries,
      trunc(coalesce(sum(amount_pico) filter (where amount_pico > 0), 0))::text as gained_pico,
      count(*) filter (where id <= ${before}::bigint)::text as entries_before,
      trunc(coalesce(sum(amount_pico) filter (where amount_pico > 0 and id <= ${before}::bigint), 0))::text
        as gained_pico_before
    from ledger_entries`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new StoreError('The database has no row in store_identity.');
  return row;
}

function refuseOther(found: Look, known: StoreIdentity, place: string): void {
  const advice = 'Nothing was changed. Restore a backup, or choose another directory';
  if (found.system !== known.system || found.store !== known.store)
    throw new StoreError(
      `The database in ${place} is not the one that belongs there: it is ${nameOf(found)}, not ${nameOf(known)}. ${advice}.`,
    );
  const { entries, gained_pico: gained } = known.ledger;
  const { entries_before: left, gained_pico_before: gainedLeft } = found;
  if (left !== entries || gainedLeft !== gained)
    throw new StoreError(
      `The ledger in ${place} is damaged: ${left} of its first ${entries} entries are there, which gain ${gainedLeft} of ${gained}. ${advice}.`,
    );
}

function nameOf({ system, store }: Pick<Look, 'system' | 'store'>): string {
  return `${system}/${store}`;
}
