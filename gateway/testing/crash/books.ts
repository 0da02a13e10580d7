import { sql } from 'kysely';
import { parseUsd } from '../../money/pico.ts';
import { openStore } from '../../store/store.ts';
import { adminClient } from '../admin-client.ts';
import { type StorePlace, silentLog } from '../store/test-stores.ts';

/** A usage record as administrators read it. */
export interface KeptRecord {
  readonly request_id: string;
  readonly account_id: string;
  readonly model_served: string;
  readonly outcome: string;
  readonly completion_tokens: number;
  readonly task_id: string | null;
  readonly charge: string;
  readonly ended_at: string;
}

export interface KeptTask {
  readonly task_id: string;
  readonly status: string;
  readonly account_id: string;
  readonly model: string;
  readonly result_urls: readonly string[] | null;
}

export interface KeptEvent {
  readonly event_id: string;
  readonly task_id: string;
  readonly type: string;
  readonly state: string;
}

/** The administrators' view over HTTP at the end of an audit. */
export interface AdminBooks {
  readonly records: readonly KeptRecord[];
  readonly tasks: readonly KeptTask[];
  readonly events: readonly KeptEvent[];
  readonly slots: readonly unknown[];
  /** By account; pico-USD. */
  readonly balances: ReadonlyMap<string, { readonly posted: bigint; readonly held: bigint }>;
}

const rowsAtOnce = 500;

/** All rows of a list, page by page. */
export async function listAll<Row>(url: string, path: string): Promise<Row[]> {
  const ask = adminClient(url);
  const rows: Row[] = [];
  for (let after = ''; ; ) {
    const { status, json, text } = await ask('GET', `${path}?limit=${rowsAtOnce}${after}`);
    if (status !== 200) throw new Error(`${path} answered ${status} ${text}`);
    rows.push(...json.data);
    if (json.next === null) return rows;
    after = `&after=${encodeURIComponent(json.next)}`;
  }
}

export async function readAdminBooks(url: string, accounts: readonly string[]): Promise<AdminBooks> {
  const ask = adminClient(url);
  // Read tasks and events first: a task's charge is on record before the task ends.
  const tasks = await listAll<KeptTask>(url, '/tasks');
  const events = await listAll<KeptEvent>(url, '/webhooks');
  const balances = new Map<string, { posted: bigint; held: bigint }>();
  for (const account of accounts) {
    const { json } = await ask('GET', `/accounts/${account}/balance`);
    balances.set(account, { posted: picoOf(json.posted), held: picoOf(json.held) });
  }
  return {
    records: await listAll<KeptRecord>(url, '/usage'),
    tasks,
    events,
    slots: await listAll(url, '/slots'),
    balances,
  };
}

function picoOf(usd: string): bigint {
  const pico = parseUsd(usd);
  if (pico === null) throw new Error(`${usd} is no amount`);
  return pico;
}

/** Facts that no administrator can see, read from the database after all gateways have stopped. */
export interface StoredBooks {
  /** The sum of all entries of the ledger. */
  readonly entries: string;
  readonly openHolds: bigint;
  /** Requests whose hold was not settled or released exactly once. */
  readonly holdsWithoutEnd: bigint;
  /** Requests that were charged more than once, or an amount that differs from their record. */
  readonly wrongCharges: bigint;
  /** Leases that have not expired. */
  readonly leases: bigint;
}

export async function readStoredBooks(place: StorePlace): Promise<StoredBooks> {
  const store = await openStore({ ...place, log: silentLog });
  try {
    const { rows } = await sql<StoredBooks>`
      with charged as (
        select request_id, count(*) as times, sum(amount_pico) as amount
        from ledger_entries where book = 'revenue' group by request_id),
      ends as (
        select request_id, count(distinct transfer_id) filter (where kind = 'hold') as held,
          count(distinct transfer_id) filter (where kind = 'settle') as settled,
          count(distinct transfer_id) filter (where transfer_id like 'end:%') as ended
        from ledger_entries where request_id is not null group by request_id)
      select
        (select coalesce(sum(amount_pico), 0) from ledger_entries)::text as entries,
        (select count(*) from open_holds) as "openHolds",
        (select count(*) from ends where held > 1 or settled > 1
          or (held = 1 and ended <> 1)
          -- A call that a block of its process covers has no hold of its own.
          or (held = 0 and settled <> 1)) as "holdsWithoutEnd",
        (select count(*) from charged full join usage_records using (request_id)
          where coalesce(times, 1) <> 1 or coalesce(amount, 0) <> coalesce(charge_pico, -1)) as "wrongCharges",
        (select count(*) from slot_leases, jsonb_each(leases) as lease
          where lease.value::bigint > extract(epoch from clock_timestamp()) * 1000) as leases`.execute(
      store.db,
    );
    const [books] = rows;
    if (books === undefined) throw new Error('the database says nothing');
    return books;
  } finally {
    await store.close();
  }
}
