import type { Kysely } from 'kysely';
import type { ChannelConfig } from '../config.ts';
import type { Database } from '../store/database.ts';

/** A channel whose key or address changed while jobs run there. */
export interface ChangedKey {
  readonly channel: string;
  /** Tasks with a job that was started before. */
  readonly jobs: number;
}

/**
 * Compares keys and addresses of channels with those of the last start, and keeps a digest of the new ones. Jobs are asked
 * after with the new key, under which their upstream may not know them.
 */
export function noteChannelKeys(
  db: Kysely<Database>,
  channels: readonly Pick<ChannelConfig, 'id' | 'base_url' | 'api_key'>[],
  digestOf: (text: string) => string,
): Promise<ChangedKey[]> {
  // Under another pepper nothing can be compared.
  const pepper = digestOf('').slice(0, 8);
  const now = channels.map(({ id, base_url: url, api_key: key }) => ({
    channel_id: id,
    digest: `${pepper}.${digestOf(`${url}\n${key}`)}`,
  }));
  if (now.length === 0) return Promise.resolve([]);
  return db.transaction().execute(async (trx) => {
    const before = await trx.selectFrom('channel_keys').selectAll().forUpdate().execute();
    const known = new Map(before.map((row) => [row.channel_id, row.digest]));
    const changed = now.filter(({ channel_id: id, digest }) => {
      const old = known.get(id);
      return old !== undefined && old !== digest && old.startsWith(pepper);
    });
    const fresh = now.filter(({ channel_id: id, digest }) => known.get(id) !== digest);
    if (fresh.length > 0)
      await trx
        .insertInto('channel_keys')
        .values(fresh)
        .onConflict((conflict) =>
          conflict.column('channel_id').doUpdateSet({ digest: (row) => row.ref('excluded.digest') }),
        )
        .execute();
    const running = await trx
      .selectFrom('tasks')
      .select(['channel_id', (row) => row.fn.countAll<bigint>().as('jobs')])
      .where('ended_at', 'is', null)
      .where('native_id', 'is not', null)
      .groupBy('channel_id')
      .execute();
    return running
      .filter((row) => changed.some((one) => one.channel_id === row.channel_id))
      .map((row) => ({ channel: row.channel_id ?? '', jobs: Number(row.jobs) }));
  });
}
