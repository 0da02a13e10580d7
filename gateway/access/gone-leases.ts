import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Database } from '../store/database.ts';
import type { Instances } from '../work/instances.ts';

/** The processes that hold leases on a database. */
export type LeaseHolders = Omit<Instances, 'isShared' | 'join' | 'leave'>;

/** A process that was alive is not checked again within this time: a user at the cap may retry very often. */
const aliveMs = 1_000;

/** A lease in the database names its process, so that it can be freed when the process is gone. */
export function leaseOf(holder: string, id: string): string {
  return `${holder}/${id}`;
}

/**
 * Frees the leases of processes that are gone, as soon as one of them keeps a user from a slot. The function that is
 * returned resolves with whether it freed any; it never rejects, since leases expire all the same.
 */
export function createGoneLeases(
  db: Kysely<Database>,
  holders: LeaseHolders,
  { clock, log }: { readonly clock: Pick<Clock, 'monotonic'>; readonly log: Pick<Logger, 'info' | 'warn'> },
): (userId: string) => Promise<boolean> {
  const seenAlive = new Map<string, number>();
  /** Settles when all processes checked so far have been handled. */
  let asking: Promise<unknown> = Promise.resolve();
  let freedCount = 0;
  const free = async (userId: string): Promise<boolean> => {
    const [now, freedBefore] = [clock.monotonic(), freedCount];
    for (const [holder, at] of seenAlive) if (at + aliveMs <= now) seenAlive.delete(holder);
    const others = (await holdersOf(db, userId)).filter((one) => one !== holders.own && !seenAlive.has(one));
    for (const other of others) seenAlive.set(other, now);
    const asked = holders.forEachGone(others, async (gone) => {
      await deleteLeasesOf(db, gone);
      seenAlive.delete(gone);
      freedCount += 1;
      log.info({ holder: gone }, 'freed the slots of a process that is gone');
    });
    if (others.length > 0) asking = Promise.allSettled([asking, asked]);
    await asked;
    // Another call may be freeing the very slots that this one lacks.
    await asking;
    return freedCount > freedBefore;
  };
  return (userId) =>
    free(userId).catch((cause: unknown) => {
      log.warn({ cause }, 'the slots of processes that are gone could not be freed and will lapse');
      return false;
    });
}

/** The processes that hold leases of a user; a lease of an earlier version names none. */
async function holdersOf(db: Kysely<Database>, userId: string): Promise<string[]> {
  const { rows } = await sql<{ holder: string }>`
    select distinct split_part(key, '/', 1) as holder
    from slot_leases, jsonb_object_keys(leases) as key
    where user_id = ${userId} and key like '%/%'`.execute(db);
  return rows.map(({ holder }) => holder);
}

/** Locks rows in the order of users, as the renewal does. */
async function deleteLeasesOf(db: Kysely<Database>, gone: string): Promise<void> {
  await sql`
    with known as (
      select user_id from slot_leases
      where exists (select from jsonb_object_keys(leases) as key where split_part(key, '/', 1) = ${gone})
      order by user_id for update)
    update slot_leases as held
    set leases = coalesce((
      select jsonb_object_agg(key, value) from jsonb_each(held.leases) where split_part(key, '/', 1) <> ${gone}), '{}')
    from known where held.user_id = known.user_id`.execute(db);
}
