import { formatUsd, type Pico } from '../money/pico.ts';
import type { Hook } from './hook.ts';
import { requestIdIn } from './request-id-in.ts';

/** One ledger entry. */
interface Entry {
  readonly transferId: string;
  readonly kind: string;
  readonly book: string;
  readonly amount: Pico;
  readonly requestId: string | null;
}

/** Reads the entries. Rejects when the database does. */
export interface EntrySource {
  ofRequest(requestId: string): Promise<readonly Entry[]>;
}

/** The answer of the ledger hook. Amounts are decimal texts in dollars. */
export interface LedgerView {
  readonly entries: readonly {
    /** The id of the transfer: its entries share it, and add up to zero. */
    readonly id: string;
    readonly kind: string;
    readonly book: string;
    readonly amount: string;
    readonly request_id: string | null;
  }[];
  /** What the deployment earned by the request; "0" for an unknown request. */
  readonly charge: string;
}

/** GET /hooks/ledger?request_id=: the ledger entries of one request. */
export function showLedger(source: EntrySource): Hook {
  return ({ query }) => readLedger(source, query);
}

/** Reads the ledger entries of the request in `query` (as sent), parameter `request_id`. */
async function readLedger(source: EntrySource, query: string): Promise<LedgerView> {
  const entries = await source.ofRequest(requestIdIn(new URLSearchParams(query)));
  const earned = entries.filter(({ book }) => book === 'revenue');
  return {
    entries: entries.map((entry) => ({
      id: entry.transferId,
      kind: entry.kind,
      book: entry.book,
      amount: formatUsd(entry.amount),
      request_id: entry.requestId,
    })),
    charge: formatUsd(earned.reduce((sum, { amount }) => sum + amount, 0n)),
  };
}
