import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import { BreakerBudget, limitsOf } from '../failures/breaker-budget.ts';
import { keepProtocolClosed } from '../protocols/keep-protocol-closed.ts';
import { type WayIn, wayLabel } from './way-in.ts';

const budgets = new WeakMap<Target, BreakerBudget>();

/** Call this before a call that will fail at the upstream: the good calls that keep its breaker closed, made the same way. */
export async function keepWayClosed(parts: CheckParts, way: WayIn, coming = 2): Promise<void> {
  const { target, newScene } = parts;
  const { protocol, model } = way;
  if (protocol !== null) return keepProtocolClosed(parts, { protocol, model }, coming);
  const budget = budgets.get(target) ?? new BreakerBudget([], limitsOf(target));
  budgets.set(target, budget);
  for (let good = budget.goodCallsBefore(model, coming); good > 0; good -= 1) {
    await way.open(parts, way.body(newScene()), { label: `a good call on ${model}, ${wayLabel(way)}` }).done;
    budget.served(model);
  }
  budget.failed(model, coming);
}
