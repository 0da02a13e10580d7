import type { ColumnType } from 'kysely';
import type { Pico, Written } from './columns.ts';

export const ledgerKinds = ['grant', 'hold', 'settle', 'void', 'correction'] as const;
export const ledgerBooks = ['credits', 'held', 'revenue', 'grants'] as const;

/** Append-only: the database rejects updates and deletions. The entries of one transfer add up to zero. */
export interface LedgerEntriesTable {
  id: ColumnType<bigint, never, never>;
  transfer_id: Written<string>;
  kind: Written<(typeof ledgerKinds)[number]>;
  account_id: Written<string>;
  book: Written<(typeof ledgerBooks)[number]>;
  /** Signed: the amount that the book gains. */
  amount_pico: ColumnType<string, bigint | string, never>;
  /** Encoded as billing/stored-text.ts describes. */
  request_id: Written<string | null>;
  note: Written<string | null>;
  posted_at: Written<Date>;
}

/** Sums of the entries of an account: `posted` over credits and held, `held` over held alone. */
export interface AccountBalancesTable {
  account_id: string;
  posted_pico: Pico;
  held_pico: Pico;
}

/** Tokens used in a calendar month (UTC, `2026-11`). */
export interface TokenUsageTable {
  account_id: string;
  month: string;
  tokens: bigint;
}

/** The holder of all task holds. They outlive any process: each is settled with its task. */
export const tasksHolder = 'tasks';

/** Holds that are neither settled nor void, each with its gateway process, or tasksHolder. */
export interface OpenHoldsTable {
  request_id: string;
  account_id: string;
  amount_pico: Pico;
  holder: string;
  held_at: Date;
}
