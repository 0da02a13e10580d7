import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Database } from '../store/database.ts';
import type { Store } from '../store/store.ts';
import { type Repeated, repeat } from '../work/repeat.ts';

export interface UsageRetentionParts {
  readonly store: Pick<Store, 'db' | 'kind'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Real time, because a jump of the test clock would pause at every round. */
  readonly timer: Pick<Clock, 'schedule'>;
  readonly days: number;
  readonly onForgotten: (records: number) => void;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/** Periodically removes usage records after the retention period. Balances and quotas do not depend on them. */
export interface UsageRetention extends Repeated {
  /** Removes old records now. While another process does so, the rest is left to that process. */
  forgetOld(): Promise<void>;
}

const dayMs = 24 * 3_600_000;
const everyMs = 10 * 60_000;
/** Small, because the embedded database serves no other query meanwhile. */
const forgetAtOnce = 250;
/** The name of the advisory lock, which lets only one process forget at a time. */
const lock = 'gatecheck usage retention';

export function createUsageRetention(parts: UsageRetentionParts): UsageRetention {
  const { store, clock, timer, log } = parts;

  const forgetOld = async (): Promise<void> => {
    const before = new Date(clock.now() - parts.days * dayMs);
    let records = 0;
    try {
      for (let from = new Date(0); !rounds.isStopped; ) {
        const batch = await forgetSome(store.db, from, before);
        if (batch === null) break;
        records += batch.records;
        parts.onForgotten(batch.records);
        if (batch.records < forgetAtOnce || batch.last === null) break;
        // Deleted rows stay in the index for a while; starting here, the next batch skips them.
        from = batch.last;
      }
      // The embedded database has no background process that frees space.
      if (records > 0 && store.kind === 'embedded') await sql`vacuum usage_records`.execute(store.db);
    } finally {
      if (records > 0) log.info({ records, before }, 'old usage records are forgotten');
    }
  };
  const rounds = repeat(timer, everyMs, forgetOld, (err) =>
    log.warn({ err }, 'old usage records are forgotten later'),
  );
  return { begin: rounds.begin, stop: rounds.stop, forgetOld };
}

interface Batch {
  readonly records: number;
  /** The latest end of a record in the batch. */
  readonly last: Date | null;
}

/**
 * Runs a transaction that may remove usage records that ended before this time; null while another process holds the lock.
 * @param before a time as PostgreSQL reads it
 */
export async function whileForgetting<Result>(
  db: Kysely<Database>,
  { lock, before }: { readonly lock: string; readonly before: string },
  forget: (trx: Kysely<Database>) => Promise<Result>,
): Promise<Result | null> {
  return db.transaction().execute(async (trx) => {
    // A transaction lock, which also works behind a pooler without sessions.
    const locking = await sql<{ locked: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${lock}, 0)) as locked,
        set_config('gatecheck.forget_usage_before', ${before}, true)`.execute(trx);
    return locking.rows[0]?.locked === true ? forget(trx) : null;
  });
}

/**
 * Removes the oldest records that ended between these times; null while another process does so. The record of an unfinished
 * task stays, because it keeps the task from being charged twice.
 */
async function forgetSome(db: Kysely<Database>, from: Date, before: Date): Promise<Batch | null> {
  return whileForgetting(db, { lock, before: before.toISOString() }, async (trx) => {
    const { rows } = await sql<{ records: bigint; last: Date | null }>`
      with
        old as (
          select request_id from usage_records as u
          where ended_at >= ${from} and ended_at < ${before}
            and not exists (select from tasks where request_id = u.request_id and ended_at is null)
          order by ended_at, request_id limit ${forgetAtOnce}
        ),
        gone as (delete from usage_records as u using old where u.request_id = old.request_id returning u.ended_at)
      select count(*) as records, max(ended_at) as last from gone`.execute(trx);
    const [{ records, last } = { records: 0n, last: null }] = rows;
    return { records: Number(records), last };
  });
}
