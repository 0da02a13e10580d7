import { type Kysely, sql } from 'kysely';
import type { Database } from './database.ts';
import { noticeChannel } from './server-session.ts';

/** The notice that a process has put a change into effect. */
export const directoryRead = 'directory read';

/** The current revision, and the one that the process has reported; null while the process is not listed. */
export async function readStand(
  db: Kysely<Database>,
  process: string,
): Promise<{ revision: bigint; told: bigint | null }> {
  return db
    .selectFrom('directory_revision')
    .select((one) => [
      'revision',
      one.selectFrom('directory_readers').select('revision').where('process', '=', process).as('told'),
    ])
    .executeTakeFirstOrThrow();
}

/** Lists a process before its first read. From then on every change waits for it. */
export async function listReader(db: Kysely<Database>, process: string): Promise<void> {
  const row = { process, revision: -1n };
  await db
    .insertInto('directory_readers')
    .values(row)
    .onConflict((one) => one.doNothing())
    .execute();
}

/** Reports to waiting processes that this process has put the revision into effect. */
export async function tellRead(db: Kysely<Database>, process: string, revision: bigint): Promise<void> {
  await sql`
    with told as (
      insert into directory_readers (process, revision) values (${process}, ${revision})
      on conflict (process) do update set revision = excluded.revision returning process)
    select pg_notify(${noticeChannel}, ${directoryRead}) from told`.execute(db);
}

/** The other processes that have not reported the revision yet. */
export async function readBehind(db: Kysely<Database>, own: string, revision: bigint): Promise<string[]> {
  const rows = await db
    .selectFrom('directory_readers')
    .select('process')
    .where('process', '!=', own)
    .where('revision', '<', revision)
    .execute();
  return rows.map(({ process }) => process);
}

/** Takes a process off the list, unless it has reported the revision meanwhile. */
export async function forgetReader(
  db: Kysely<Database>,
  process: string,
  before: bigint | null = null,
): Promise<void> {
  const one = db.deleteFrom('directory_readers').where('process', '=', process);
  await (before === null ? one : one.where('revision', '<', before)).execute();
}
