import { type Check, defineCheck } from '../../engine/check.ts';
import type { Fact } from '../../engine/facts.ts';
import {
  accountRows,
  type ExchangeRow,
  receiverRows,
  shownRows,
  upstreamRows,
} from '../../oracle/exchange/rows.ts';

/** The facts that reading upstreams and accounts requires. */
const upstreamFacts: readonly Fact[] = ['upstream.control'];
const priceFacts: readonly Fact[] = ['hooks.balance', 'pricing.models', 'pricing.markup', 'upstream.control'];
const { charges, holds, grounds } = accountRows;

/** The parts of the specification whose traffic alone a row judges. */
const partsOf: Readonly<Record<string, readonly Fact[]>> = {
  ...{ chat: ['chat'], stream: ['chat'], images: ['images'], tasks: ['tasks'], traces: ['tasks'] },
  ...{ compatA: ['compat.a'], compatB: ['compat.b'] },
};

/** The rules that apply to every exchange of a run, whichever check sent it. */
export const everyChecks: readonly Check[] = [
  ...Object.entries(shownRows).flatMap(([row, one]) => rowsOf({ one }, partsOf[row] ?? [])),
  ...rowsOf(upstreamRows, upstreamFacts),
  ...rowsOf({ charges }, priceFacts),
  ...rowsOf({ holds }, ['hooks.ledger', 'hooks.balance']),
  ...rowsOf({ grounds }, ['hooks.balance']),
  ...rowsOf(receiverRows, ['webhooks.receiver']),
];

function rowsOf(rows: Readonly<Record<string, ExchangeRow>>, needs: readonly Fact[]): Check[] {
  return Object.values(rows).map(({ id, title, requirements, senders }) =>
    defineCheck({
      id: `every.${id}`,
      title: `every exchange: ${title}`,
      ...{ requirements, kind: 'passive', needs, senders },
      // Rows about chat alone say so in their needs.
      anyProtocol: true,
      // The check sends nothing itself. It judges the exchanges of other checks.
      run: () => Promise.resolve(),
    }),
  );
}
