import { formatUsd, type Pico } from '../money/pico.ts';
import type { Hook } from './hook.ts';
import { requestIdIn } from './request-id-in.ts';

/** An entry as the ledger keeps it. */
interface Entry {
  readonly transferId: string;
  readonly kind: string;
  readonly book: string;
  readonly amount: Pico;
  readonly requestId: string | null;
}

/** Where the entries are; a reader of the store, which rejects as that does. */
export interface EntrySource {
  ofRequest(requestId: string): Promise<readonly Entry[]>;
}

/** Answer of the ledger hook. Amounts are dollars as decimal texts. */
export interface LedgerView {
  readonly entries: readonly {
    /** That of the transfer: its entries share it, and add up to zero. */
    readonly id: string;
    readonly kind: string;
    readonly book: string;
    readonly amount: string;
    readonly request_id: string | null;
  }[];
  /** What the deployment earned by the request; "0" for one that is not known. */
  readonly charge: string;
}

/** GET /hooks/ledger?request_id=: what was entered for one request. */
export function showLedger(source: EntrySource): Hook {
  return ({ query }) => readLedger(source, query);
}

/** Reads what was entered for the request whose id stands in `query`, as sent, under `request_id`. */
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
