import { type TracedExchange, tracedOf } from '../../engine/parts/exchange-trace.ts';
import type { Finding } from '../../rules/violation.ts';
import { isSame } from './is-same.ts';

/** What the failure's requests share: their markers and tasks, and those of requests that share one of them. */
export function tiesOf(
  { exchange, twin }: Pick<Finding, 'exchange' | 'twin'>,
  client: readonly TracedExchange[],
): ReadonlySet<string> {
  const near = client.filter((one) =>
    [exchange, twin].some((other) => other !== undefined && isSame(one, other)),
  );
  const beside = [exchange, twin].flatMap((one) => (one === undefined ? [] : [tracedOf(one)]));
  const first = new Set([...near, ...beside].flatMap(({ ties }) => ties));
  const next = client.filter(({ ties }) => ties.some((tie) => first.has(tie)));
  return new Set([...first, ...next.flatMap(({ ties }) => ties)]);
}
