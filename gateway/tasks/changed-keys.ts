import { type Kysely, sql } from 'kysely';
import { startsJobs } from '../catalogue/dialects.ts';
import type { ChannelConfig } from '../config.ts';
import type { Database } from '../store/database.ts';

/** A channel whose key or address changed while jobs run there. */
export interface ChangedKey {
  readonly channel: string;
  /** Number of tasks whose job started before the change. */
  readonly jobs: number;
}

/**
 * Compares keys and addresses of channels that start jobs with those of the last start, and stores a digest of the new ones.
 * Jobs are polled with the new key, which may not give access to jobs of the old one.
 */
export function noteChannelKeys(
  db: Kysely<Database>,
  channels: readonly Pick<ChannelConfig, 'id' | 'dialect' | 'base_url' | 'api_key'>[],
  digestOf: (text: string) => string,
): Promise<ChangedKey[]> {
  // Digests under another pepper cannot be compared.
  const pepper = digestOf('').slice(0, 8);
  const now = channels
    .filter(({ dialect }) => startsJobs(dialect))
    .map(({ id, base_url: url, api_key: key }) => ({
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
      await sql`
        insert into channel_keys (channel_id, digest)
        select channel_id, digest
        from json_to_recordset(${JSON.stringify(fresh)}::json) as x(channel_id text, digest text)
        on conflict (channel_id) do update set digest = excluded.digest`.execute(trx);
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
