import { type Check, defineCheck } from '../../engine/check.ts';
import type { Fact } from '../../engine/facts.ts';
import { accountRows, type ExchangeRow, shownRows, upstreamRows } from '../../oracle/exchange/rows.ts';

/** What a look at upstreams and accounts takes. */
const upstreamFacts: readonly Fact[] = ['upstream.control'];
const priceFacts: readonly Fact[] = ['hooks.balance', 'pricing.models', 'pricing.markup', 'upstream.control'];
const { charges, holds, grounds } = accountRows;

/** What all exchanges of a run show together: each is judged by all of these rows, whichever check has sent it. */
export const everyChecks: readonly Check[] = [
  ...rowsOf(shownRows, []),
  ...rowsOf(upstreamRows, upstreamFacts),
  ...rowsOf({ charges }, priceFacts),
  ...rowsOf({ holds }, ['hooks.ledger', 'hooks.balance']),
  ...rowsOf({ grounds }, ['hooks.balance']),
];

function rowsOf(rows: Readonly<Record<string, ExchangeRow>>, needs: readonly Fact[]): Check[] {
  return Object.values(rows).map(({ id, title, requirements, senders }) =>
    defineCheck({
      id: `every.${id}`,
      title: `every exchange: ${title}`,
      ...{ requirements, kind: 'passive', needs, senders },
      // It sends nothing itself: what others send is judged as it passes.
      run: () => Promise.resolve(),
    }),
  );
}
