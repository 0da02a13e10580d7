import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from './database.ts';
import { noticeChannel } from './server-session.ts';

/**
 * Changes accounts, users, apps, keys or prices in one transaction. If `change` throws, nothing changes. Changes run one at a
 * time across all processes, so that what a change reads stays valid until it commits. On a server, the commit notifies the
 * other processes.
 */
export function changeDirectory<Result>(
  db: Kysely<Database>,
  change: (trx: Transaction<Database>) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute(async (trx) => {
    await sql`update directory_revision set revision = revision + 1`.execute(trx);
    await sql`select pg_notify(${noticeChannel}, ${directoryChanged})`.execute(trx);
    return change(trx);
  });
}

/** The notice that announces a change. */
export const directoryChanged = 'directory changed';

/** The revision, which every change increases. */
export async function readRevision(db: Kysely<Database>): Promise<bigint> {
  const { revision } = await db.selectFrom('directory_revision').select('revision').executeTakeFirstOrThrow();
  return revision;
}
