import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { FaultFacts } from '../../oracle/faults/fault-facts.ts';
import { rowsOfFault } from '../../oracle/faults/fault-rows.ts';
import type { BreakerBudget } from '../../steps/failures/breaker-budget.ts';
import { goodCall, servedAgain } from '../../steps/failures/served-again.ts';

/** A model that has met faults. */
export interface Touched {
  readonly model: string;
  readonly budget: BreakerBudget;
}

/** Judges that every model serves again: at the next call, or after a rest where the upstream's answer allows one. */
export async function judgeHealthy(
  parts: CheckParts,
  facts: FaultFacts,
  touched: readonly Touched[],
  mayRest: boolean,
): Promise<void> {
  const rule = { requirement: rowsOfFault(facts)[0], aspect: 'recovers' };
  const models = [...new Set(touched.map(({ model }) => model))];
  if (mayRest) {
    await servedAgain(parts, models, rule);
  } else {
    const judged = models.map(async (model) => {
      const exchange = await goodCall(parts, model);
      parts.judge.completed(exchange, { ...rule, model });
    });
    await Promise.all(judged);
  }
  for (const { model, budget } of touched) budget.served(model);
}
