import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../store/database.ts';

/** The database's clock in Unix milliseconds: all processes share it. */
const now = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

export interface NewLease {
  readonly userId: string;
  readonly id: string;
  readonly cap: number;
  readonly leaseMs: number;
  /** The process that takes it; null where processes have no names. */
  readonly holder: string | null;
  /** The lease that this one replaces. If it still exists, the cap does not apply. */
  readonly replaces?: string | undefined;
}

/**
 * Takes a lease unless the user has `cap` of them. One statement locks the user's row before it counts, so that concurrent
 * calls count each other. It also deletes expired leases. Rejects for a process that was declared gone.
 */
export async function insertLease(
  db: Kysely<Database>,
  { userId, id, cap, leaseMs, holder, replaces = '' }: NewLease,
): Promise<boolean> {
  const others = sql`select * from jsonb_each(known.leases - ${replaces}::text) where value::bigint > ${now}`;
  const { rows } = await sql`
    insert into slot_leases as known (user_id, leases)
    select ${userId}::text, jsonb_build_object(${id}::text, ${now} + ${leaseMs}::bigint)
    where ${cap}::integer > 0 and ${holder === null ? sql`true` : sql`demand_process(${holder})`}
    on conflict (user_id) do update
    set leases = excluded.leases || coalesce((select jsonb_object_agg(key, value) from (${others}) as other), '{}')
    where (select count(*) from (${others}) as other) < ${cap}::integer
      or (known.leases ->> ${replaces}::text)::bigint > ${now}
    returning user_id`.execute(db);
  return rows.length === 1;
}

export async function deleteLeases(
  db: Kysely<Database>,
  userId: string,
  ids: readonly string[],
): Promise<void> {
  await sql`update slot_leases set leases = leases - ${ids}::text[] where user_id = ${userId}`.execute(db);
}

/**
 * Extends these leases to `leaseMs` from now; returns those that still exist. Locks rows in the order of users, so that two
 * processes that renew at once cannot deadlock.
 */
export async function renewLeases(
  db: Kysely<Database>,
  leases: readonly { readonly id: string; readonly userId: string }[],
  leaseMs: number,
): Promise<ReadonlySet<string>> {
  const ids = leases.map(({ id }) => id);
  const users = [...new Set(leases.map(({ userId }) => userId))];
  const { rows } = await sql<{ ids: string[] }>`
    with known as (
      select user_id from slot_leases where user_id = any(${users}::text[]) order by user_id for update)
    update slot_leases as held
    set leases = coalesce((
      select jsonb_object_agg(key, case when key = any(${ids}::text[])
        then to_jsonb(${now} + ${leaseMs}::bigint) else value end)
      from jsonb_each(held.leases)), '{}')
    from known where held.user_id = known.user_id
    returning array(select jsonb_object_keys(held.leases)) as ids`.execute(db);
  return new Set(rows.flatMap((row) => row.ids));
}

/** The number of valid leases of each user that has any, in the order of users. */
export async function countLeases(
  db: Kysely<Database>,
  condition: RawBuilder<unknown>,
): Promise<{ userId: string; held: number }[]> {
  const { rows } = await sql<{ userId: string; held: number }>`
    select user_id as "userId", count(*)::integer as held
    from slot_leases, jsonb_each(leases) as lease
    where ${condition} and lease.value::bigint > ${now}
    group by user_id order by user_id collate "C"`.execute(db);
  return rows;
}
