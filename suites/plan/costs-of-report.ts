import type { CheckResult, Report } from 'gatecheck-reports/report';
import { isJudged } from 'gatecheck-reports/verdict-words';
import { type CheckCost, type CheckCosts, countsOf } from './check-costs.ts';

/**
 * The costs that a run on the same deployment had, check by check: failed checks stop early or ask more often, and calls may be
 * slow. Checks that it did not judge keep their costs.
 */
export function costsOfReport(
  costs: CheckCosts,
  { checks: results, spent, duration_ms: ms }: Pick<Report, 'checks' | 'spent' | 'duration_ms'>,
): CheckCosts {
  const judged = results.filter(({ verdict }) => isJudged(verdict));
  const own = judged.map((result) => {
    const cost = costIn(result);
    return [result.id, { profile: cost, address: cost, smoke: cost }] as const;
  });
  const exchanges = sumOf(judged, ({ evidence }) => evidence.exchanges);
  const paid = sumOf(judged, paidIn);
  return {
    models: costs.models,
    side: Math.max(1, sumOf(judged, ({ duration_ms: each }) => each) / Math.max(1, ms)),
    recovery: {
      exchanges: Math.max(0, (spent?.exchanges ?? exchanges) - exchanges),
      paid: Math.max(0, (spent?.paid ?? paid) - paid),
      besideExchanges: Math.max(1, exchanges),
    },
    isOfDeployment: true,
    checks: { ...costs.checks, ...Object.fromEntries(own) },
  };
}

function costIn({ evidence, duration_ms: ms }: CheckResult): CheckCost {
  const models = Object.entries(evidence.models ?? {}).map(([id, calls]) => [id, countsOf(calls)]);
  const { exchanges, reads = 0 } = evidence;
  return { exchanges, reads, ms, models: Object.fromEntries(models) };
}

function paidIn({ evidence }: CheckResult): number {
  return sumOf(Object.values(evidence.models ?? {}), ({ paid = 0 }) => paid);
}

function sumOf<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0);
}
