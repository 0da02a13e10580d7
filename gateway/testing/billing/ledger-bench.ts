import { sql } from 'kysely';
import { afterAll, beforeAll } from 'vitest';
import type { StoredLedger } from '../../billing/create-ledger.ts';
import { monthOf } from '../../billing/month.ts';
import { openStore, type Store } from '../../store/store.ts';
import { type FreshPlace, type StoreKind, silentLog } from '../store/test-stores.ts';
import { sampleLedger } from './sample-ledger.ts';

// For tests only.

/** The totals that are stored for an account in addition to its entries. */
export interface Totals {
  posted: bigint;
  held: bigint;
  tokens: bigint;
}

/** A store of one kind with a ledger over it, for the tests of one `describe`. */
export interface LedgerHarness {
  readonly place: FreshPlace;
  readonly store: Store;
  readonly ledger: StoredLedger;
  account(id: string, limits?: { prepaid?: boolean; monthlyTokens?: bigint | null }): Promise<void>;
  /** Each entry of a request as `transfer kind book amount`, in order. */
  entriesOf(requestId: string): Promise<string[]>;
  totalsOf(accountId: string, atMs: number): Promise<Totals>;
  openHolds(): Promise<string[]>;
}

export function useLedger({ fresh }: StoreKind): LedgerHarness {
  let place: FreshPlace;
  let store: Store;
  let ledger: StoredLedger;
  beforeAll(async () => {
    place = await fresh();
    store = await openStore({ ...place.place, log: silentLog });
    ledger = sampleLedger(store.db);
  });
  afterAll(async () => {
    await ledger.close();
    await store.close();
    await place.remove();
  });
  return {
    get place() {
      return place;
    },
    get store() {
      return store;
    },
    get ledger() {
      return ledger;
    },
    account: async (id, { prepaid = false, monthlyTokens = null } = {}) => {
      const row = { id, models: null, prepaid, monthly_tokens: monthlyTokens };
      await store.db.insertInto('accounts').values(row).execute();
    },
    entriesOf: async (requestId) => {
      const { rows } = await sql<{ line: string }>`
        select concat_ws(' ', transfer_id, kind, book, amount_pico) as line from ledger_entries
        where request_id = ${requestId} order by id`.execute(store.db);
      return rows.map(({ line }) => line);
    },
    totalsOf: async (accountId, atMs) => {
      const { rows } = await sql<{ posted: string; held: string; tokens: bigint }>`
        select coalesce(posted_pico, 0) as posted, coalesce(held_pico, 0) as held, coalesce(tokens, 0) as tokens
        from (values (${accountId})) as a(id)
          left join account_balances b on b.account_id = a.id
          left join token_usage t on t.account_id = a.id and t.month = ${monthOf(atMs)}`.execute(store.db);
      const [row] = rows;
      return {
        posted: BigInt(row?.posted ?? 0),
        held: BigInt(row?.held ?? 0),
        tokens: row?.tokens ?? 0n,
      };
    },
    openHolds: async () => {
      const rows = await store.db
        .selectFrom('open_holds')
        .select('request_id')
        .orderBy('request_id')
        .execute();
      return rows.map(({ request_id }) => request_id);
    },
  };
}
