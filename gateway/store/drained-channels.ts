import type { Kysely } from 'kysely';
import type { Database } from './database.ts';

/** Ids of the channels that take no new calls, including channels that are no longer in the configuration. */
export async function readDrained(db: Kysely<Database>): Promise<string[]> {
  const rows = await db.selectFrom('drained_channels').select('channel_id').orderBy('channel_id').execute();
  return rows.map((row) => row.channel_id);
}

/** Stores that a channel takes no new calls from now on. Repeating it changes nothing. */
export async function drainChannel(db: Kysely<Database>, channelId: string, since: Date): Promise<void> {
  await db
    .insertInto('drained_channels')
    .values({ channel_id: channelId, since })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function restoreChannel(db: Kysely<Database>, channelId: string): Promise<void> {
  await db.deleteFrom('drained_channels').where('channel_id', '=', channelId).execute();
}
