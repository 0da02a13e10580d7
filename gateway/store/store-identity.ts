import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Database } from './database.ts';
import { StoreError } from './store-errors.ts';

/** The file in a data directory that says which database belongs there. */
export const identityFile = 'store.json';

const identitySchema = z.object({
  /** PostgreSQL's system identifier, chosen when the cluster is created. */
  system: z.string().regex(/^\d+$/),
  /** The store's own id, chosen at its first start. */
  store: z.string(),
  /** What the ledger held when this was written, of the entries that it never forgets. */
  ledger: z.object({
    /** The id of the newest entry. */
    last: z.string().regex(/^\d+$/),
    /** Number of grants, corrections and charges up to the newest entry. */
    entries: z.string().regex(/^\d+$/),
    /** The sum of their positive amounts, in trillionths of a dollar. */
    gained_pico: z.string().regex(/^\d+$/),
  }),
});

export type StoreIdentity = z.infer<typeof identitySchema>;

/**
 * The recorded identity of the database; null if there is none, as before the end of the first start.
 * @throws Error if the file cannot be parsed
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

/** The id of a server's database, chosen once by the first process. */
export async function nameServer(db: Kysely<Database>): Promise<string> {
  await sql`insert into store_identity default values on conflict (only_row) do nothing`.execute(db);
  const { rows } = await sql<{ id: string }>`select id::text from store_identity`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new StoreError('The database has no row in store_identity.');
  return row.id;
}

/** Those of requests without a charge are forgotten one day (billing/uncharged.ts). */
const stays = sql`(kind in ('grant', 'correction') or (book = 'revenue' and amount_pico <> 0))`;

interface Look {
  readonly system: string;
  readonly store: string;
  readonly last: string;
  readonly entries: string;
  readonly gained_pico: string;
  /** The same counts up to the newest entry of the recorded identity. */
  readonly entries_before: string;
  readonly gained_pico_before: string;
}

/** Gives a store a new id if its directory records none: at its first start, whatever cluster it was copied from. */
export async function nameStore(db: Kysely<Database>, known: StoreIdentity | null): Promise<void> {
  if (known !== null) return;
  await sql`
    insert into store_identity default values
    on conflict (only_row) do update set id = excluded.id`.execute(db);
}

/**
 * Reads the identity of the database and the state of its ledger. Compares them with the recorded identity, if there is one.
 * @throws StoreError if it is another database, or its ledger has lost or changed entries
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
 * Extends a known identity by the ledger entries added since. Reads only those entries.
 * @throws StoreError if the database does not answer
 */
export async function identitySince(db: Kysely<Database>, known: StoreIdentity): Promise<StoreIdentity> {
  const { last, entries, gained_pico: gained } = known.ledger;
  const { rows } = await sql<StoreIdentity['ledger']>`
    select coalesce(max(id), ${last}::bigint)::text as last, count(*) filter (where ${stays})::text as entries,
      trunc(coalesce(sum(amount_pico) filter (where amount_pico > 0 and ${stays}), 0))::text as gained_pico
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
      coalesce(max(id), 0)::text as last, count(*) filter (where ${stays})::text as entries,
      trunc(coalesce(sum(amount_pico) filter (where amount_pico > 0 and ${stays}), 0))::text as gained_pico,
      count(*) filter (where id <= ${before}::bigint and ${stays})::text as entries_before,
      trunc(coalesce(sum(amount_pico) filter (where amount_pico > 0 and id <= ${before}::bigint and ${stays}), 0))::text
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
