import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Database } from '../store/database.ts';
import type { Store } from '../store/store.ts';
import { type Repeated, repeat } from '../work/repeat.ts';
import { whileForgetting } from './usage-retention.ts';

/** Counts requests that may end without a charge, by account, so that only accounts with many of them are looked at. */
export class UnchargedCounts {
  readonly #counts = new Map<string, number>();

  note(accountId: string): void {
    // Nothing is known of what an earlier process left.
    this.#counts.set(accountId, (this.#counts.get(accountId) ?? Number.POSITIVE_INFINITY) + 1);
  }

  /** The accounts with at least so many since they were last taken, or since the start of the process. */
  take(least: number): string[] {
    const due = [...this.#counts].filter(([, count]) => count >= least).map(([accountId]) => accountId);
    for (const accountId of due) this.#counts.set(accountId, 0);
    return due;
  }
}

export interface UnchargedRetentionParts {
  readonly store: Pick<Store, 'db' | 'kind'>;
  readonly counts: UnchargedCounts;
  /** Real time, because a jump of the test clock would pause at every round. */
  readonly timer: Pick<Clock, 'schedule'>;
  /** The number of requests without a charge that stay on record for an account. */
  readonly kept: number;
  readonly onForgotten: (records: number) => void;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

export interface UnchargedRetention extends Repeated {
  forgetOld(): Promise<void>;
}

const everyMs = 60_000;
/** Small, because the embedded database serves no other query meanwhile. */
const atOnce = 250;
const countedAtOnce = 2_000;
/** Accounts are looked at after this share of what they may keep, so they exceed it by as much in each process. */
const noticedShare = 10;
/** The name of the advisory lock, which lets only one process forget at a time. */
const lock = 'gatecheck uncharged requests';

/**
 * Bounds what an account can store without paying for it: the oldest requests that cost nothing are forgotten, with the records
 * of those that failed. What they held was given back, so no balance changes.
 */
export function createUnchargedRetention(parts: UnchargedRetentionParts): UnchargedRetention {
  const { store, counts, timer, kept, onForgotten, log } = parts;

  const forgetOf = async (account: string): Promise<number> => {
    const until = await lastBeyond(store.db, account, kept);
    let forgotten = 0;
    for (let from = 0n; until !== null && !rounds.isStopped; ) {
      const batch = await forgetSome(store.db, { account, from, until });
      if (batch === null) {
        // Another process is at it: looked at again in the next round.
        counts.note(account);
        break;
      }
      if (batch.last === null) break;
      onForgotten(batch.records);
      forgotten += batch.requests;
      from = batch.last + 1n;
    }
    if (forgotten > 0)
      log.info({ account, requests: forgotten }, 'old requests without a charge are forgotten');
    return forgotten;
  };
  const forgetOld = async (): Promise<void> => {
    let forgotten = 0;
    for (const account of counts.take(Math.ceil(kept / noticedShare))) forgotten += await forgetOf(account);
    if (forgotten === 0 || store.kind === 'server') return;
    // The embedded database has no background process that frees space. One table at a time, because nothing else is served.
    for (const table of ['usage_records', 'ledger_entries'])
      await sql`vacuum ${sql.table(table)}`.execute(store.db);
  };
  const rounds = repeat(timer, everyMs, forgetOld, (err) =>
    log.warn({ err }, 'old requests without a charge are forgotten later'),
  );
  return { begin: rounds.begin, stop: rounds.stop, forgetOld };
}

/** The entry that stands for a request without a charge. Its index has the same condition. */
const isUncharged = sql`
  ((kind = 'void' and book = 'held') or (kind = 'settle' and book = 'revenue' and amount_pico = 0))`;

/** The newest entry beyond those that are kept; null where there is none. */
async function lastBeyond(db: Kysely<Database>, account: string, kept: number): Promise<bigint | null> {
  let last: bigint | null = null;
  for (let left = kept + 1; left > 0; left -= countedAtOnce) {
    const { rows }: { rows: { id: bigint }[] } = await sql<{ id: bigint }>`
      select id from ledger_entries
      where account_id = ${account} and ${isUncharged} and (${last}::bigint is null or id < ${last})
      order by id desc offset ${Math.min(left, countedAtOnce) - 1} limit 1`.execute(db);
    last = rows[0]?.id ?? null;
    if (last === null) return null;
  }
  return last;
}

interface Batch {
  readonly requests: number;
  readonly records: number;
  readonly last: bigint | null;
}

/**
 * Forgets the oldest requests between these entries; null while another process does so. The record of an unfinished task stays,
 * because it keeps the task from being charged.
 */
async function forgetSome(
  db: Kysely<Database>,
  { account, from, until }: { readonly account: string; readonly from: bigint; readonly until: bigint },
): Promise<Batch | null> {
  return whileForgetting(db, { lock, before: 'infinity' }, async (trx) => {
    const { rows } = await sql<{ requests: bigint; records: bigint; last: bigint | null }>`
      with
        old as materialized (
          select id, transfer_id, request_id from ledger_entries as l
          where account_id = ${account} and ${isUncharged} and id >= ${from} and id <= ${until}
            and not exists (select from tasks where request_id = l.request_id and ended_at is null)
          order by id limit ${atOnce}
        ),
        entries as (
          delete from ledger_entries where transfer_id in (
            select transfer_id from old
            union all select 'hold:' || request_id from old where transfer_id = 'end:' || request_id)
        ),
        records as (
          delete from usage_records as u using old
          where u.request_id = old.request_id and u.charge_pico = 0 and u.outcome <> 'success'
          returning u.request_id
        )
      select count(*) as requests, (select count(*) from records) as records, max(id) as last from old`.execute(
      trx,
    );
    const [{ requests, records, last } = { requests: 0n, records: 0n, last: null }] = rows;
    return { requests: Number(requests), records: Number(records), last };
  });
}
