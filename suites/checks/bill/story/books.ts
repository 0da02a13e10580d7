import type { AccountView } from '../../../engine/meter.ts';
import type { CheckParts } from '../../../engine/parts/check-parts.ts';
import { type UsageRecord, usageRecordsOf } from '../../../engine/usage-record.ts';
import type { Pico } from '../../../oracle/money.ts';
import { charged } from '../../../steps/money/priced-call.ts';
import type { Exchange } from '../../../wire/exchange.ts';

/** Everything a deployment records about one request, in each place that shows it. */
export interface Books {
  readonly records: readonly UsageRecord[];
  readonly charge: Pico;
  /** The decrease of the account's credit; null where the charge itself is read from the credit. */
  readonly paid: Pico | null;
  /** The increase of this month's token count; null where it is not visible. */
  readonly tokens: number | null;
}

export interface Booked {
  readonly exchange: Exchange;
  readonly books: Books;
}

/** Makes one request with a key, and reads everything that is kept of it. `laterMs`: how late its charge may come. */
export async function booked(
  { meter, target }: CheckParts,
  key: string,
  send: () => Promise<Exchange>,
  laterMs = 0,
): Promise<Booked> {
  const hasBalance = target.profile.hooks.balance !== undefined;
  const look = async (): Promise<AccountView | null> => (hasBalance ? meter.settledAccount(key) : null);
  const before = await look();
  const { exchange, charge } = await charged(meter, send, { key, laterMs });
  const records = await usageRecordsOf(exchange, target.profile);
  const after = await look();
  const [used, usedBefore] = [after?.tokensUsed ?? null, before?.tokensUsed ?? null];
  return {
    exchange,
    books: {
      records,
      charge,
      paid: meter.byRequest && before !== null && after !== null ? before.balance - after.balance : null,
      tokens: used === null || usedBefore === null ? null : used - usedBefore,
    },
  };
}
