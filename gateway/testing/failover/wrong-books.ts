import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { decodeText } from '../../billing/stored-text.ts';
import { openStore } from '../../store/store.ts';
import { silentLog } from '../store/test-stores.ts';
import type { Ended } from './failover-callers.ts';

/** Maximum time until processes release what they hold for calls that ended in an outage. */
const releasedWithinMs = 30_000;

/**
 * Checks that each valid answer is on record and charged once, and that no hold is left.
 * @param extent `exactly` if nothing else may be charged; after an outage, a call with a failed answer may be on record
 */
export async function wrongBooks(
  url: string,
  ended: readonly Ended[],
  extent: 'at least' | 'exactly' = 'at least',
): Promise<string[]> {
  const store = await openStore({ url, log: silentLog });
  try {
    const rows = await store.db.selectFrom('usage_records').select(['request_id', 'charge_pico']).execute();
    const answered = new Set(ended.flatMap(({ end, requestId }) => (end === 'answered' ? [requestId] : [])));
    const ids = rows.map((row) => decodeText(row.request_id));
    const known = new Set(ids);
    const lost = ended.filter(({ end, requestId }) => end === 'answered' && !known.has(requestId));
    const more = rows.filter(
      (row) => BigInt(row.charge_pico) > 0n && !answered.has(decodeText(row.request_id)),
    );
    const charged = rows.reduce((sum, row) => sum + BigInt(row.charge_pico), 0n);
    const until = Date.now() + releasedWithinMs;
    let books = await booksOf(store.db);
    for (; books.held > 0 && Date.now() < until; books = await booksOf(store.db)) await wait(500);
    return [
      ...lost.map(({ requestId }) => `${requestId} was answered and is not on record`),
      ...(extent === 'exactly' ? more.map(() => 'a call was charged that was not answered') : []),
      ...(known.size === ids.length ? [] : ['a request is on record twice']),
      ...(books.entries === 0n ? [] : [`all entries add up to ${books.entries}`]),
      ...(books.spent === charged ? [] : [`the records say ${charged}, the balance ${books.spent}`]),
      ...(books.held === 0 ? [] : [`${books.held} holds are left`]),
    ];
  } finally {
    await store.close();
  }
}

async function booksOf(
  db: Awaited<ReturnType<typeof openStore>>['db'],
): Promise<{ entries: bigint; spent: bigint; held: number }> {
  const { rows } = await sql<{ entries: string; posted: string; held: bigint }>`
    select (select coalesce(sum(amount_pico), 0) from ledger_entries)::text as entries, posted_pico::text as posted,
      (select count(*) from open_holds) as held
    from account_balances where account_id = 'acc'`.execute(db);
  const [row] = rows;
  const granted = 1_000n * 10n ** 12n;
  return {
    entries: BigInt(row?.entries ?? '0'),
    spent: granted - BigInt(row?.posted ?? '0'),
    held: Number(row?.held ?? 0n),
  };
}
