import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Pico } from '../money/pico.ts';
import type { Database } from '../store/database.ts';
import type { ledgerBooks, ledgerKinds } from '../store/ledger-tables.ts';
import { monthOf } from './month.ts';
import { decodeText, encodeText } from './stored-text.ts';

/** One entry of a transfer; the entries of a transfer add up to zero. */
export interface LedgerEntry {
  /** Increases with time: a later entry has a greater id. */
  readonly id: bigint;
  readonly transferId: string;
  readonly kind: (typeof ledgerKinds)[number];
  readonly accountId: string;
  readonly book: (typeof ledgerBooks)[number];
  /** What the book gains. */
  readonly amount: Pico;
  readonly requestId: string | null;
  readonly note: string | null;
  readonly postedAtMs: number;
}

/** Selects entries of an account, newest first. */
export interface EntriesPage {
  /** Only entries of this request; null for all. */
  readonly requestId: string | null;
  /** Only entries older than this one; null to begin with the newest. */
  readonly before: bigint | null;
  readonly limit: number;
}

/** What decides whether an account's requests are admitted (B-45), and what is in flight. */
export interface AccountBalances {
  /** Credits, including those held for calls in flight. */
  readonly posted: Pico;
  readonly held: Pico;
  readonly prepaid: boolean;
  readonly month: string;
  readonly tokensUsed: bigint;
  /** Null for no limit. */
  readonly monthlyTokens: bigint | null;
}

/** Reads the ledger. Every method rejects when the database does. */
export interface LedgerReader {
  /** The entries of a request in the order in which they were made; empty for an unknown request. */
  ofRequest(requestId: string): Promise<LedgerEntry[]>;
  ofAccount(accountId: string, page: EntriesPage): Promise<LedgerEntry[]>;
  /** Null for an unknown account. */
  balances(accountId: string, atMs: number): Promise<AccountBalances | null>;
}

export function createLedgerReader(db: Kysely<Database>): LedgerReader {
  return {
    ofRequest: (requestId) =>
      readEntries(db.selectFrom('ledger_entries').where(isOf(requestId)).orderBy('id')),
    ofAccount: (accountId, { requestId, before, limit }) => {
      let query = db.selectFrom('ledger_entries').where('account_id', '=', accountId);
      if (requestId !== null) query = query.where(isOf(requestId));
      if (before !== null) query = query.where('id', '<', before);
      return readEntries(query.orderBy('id', 'desc').limit(limit));
    },
    balances: async (accountId, atMs) => {
      const month = monthOf(atMs);
      const row = await db
        .selectFrom('accounts')
        .leftJoin('account_balances', 'account_balances.account_id', 'accounts.id')
        .leftJoin('token_usage', (join) =>
          join.onRef('token_usage.account_id', '=', 'accounts.id').on('token_usage.month', '=', month),
        )
        .where('accounts.id', '=', accountId)
        .select(['posted_pico', 'held_pico', 'prepaid', 'monthly_tokens', 'tokens'])
        .executeTakeFirst();
      if (row === undefined) return null;
      return {
        posted: BigInt(row.posted_pico ?? 0),
        held: BigInt(row.held_pico ?? 0),
        prepaid: row.prepaid,
        month,
        tokensUsed: row.tokens ?? 0n,
        monthlyTokens: row.monthly_tokens,
      };
    },
  };
}

/** Entries of a request. Those of settlements are found by their transfer names, because only these are indexed. */
function isOf(requestId: string): RawBuilder<boolean> {
  const id = encodeText(requestId);
  return sql`((request_id = ${id} and kind <> 'settle') or transfer_id in (${`end:${id}`}, ${`late:${id}`}))`;
}

async function readEntries(
  query: SelectQueryBuilder<Database, 'ledger_entries', object>,
): Promise<LedgerEntry[]> {
  const rows = await query.selectAll().execute();
  return rows.map((row) => ({
    id: row.id,
    transferId: decodeText(row.transfer_id),
    kind: row.kind,
    accountId: row.account_id,
    book: row.book,
    amount: BigInt(row.amount_pico),
    requestId: row.request_id === null ? null : decodeText(row.request_id),
    note: row.note === null ? null : decodeText(row.note),
    postedAtMs: row.posted_at.getTime(),
  }));
}
