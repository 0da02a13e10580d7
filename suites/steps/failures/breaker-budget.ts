import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import type { Dialect } from '../../profile/dialects.ts';
import { Untestable } from '../../rules/violation.ts';
import { nativeModels } from '../chat/upstream-view.ts';

/**
 * When a breaker may open: after this many consecutive failures, or this share of this many outcomes (reading
 * B-108).
 */
export interface BreakerLimits {
  readonly inARow: number;
  readonly outcomes: number;
  readonly sharePercent: number;
}

interface Outcomes {
  failed: number;
  total: number;
  inARow: number;
}

/** The budget of each tenant, because tenants have their own channels. */
const budgets = new WeakMap<CheckParts['http'], BreakerBudget>();

/**
 * Keeps every breaker closed while a check causes faults. It counts the outcomes of each model and offers the model with the
 * fewest failures. It requests good calls before another failure would open a breaker.
 */
export class BreakerBudget {
  readonly #limits: BreakerLimits;
  readonly #models: readonly string[];
  readonly #seen = new Map<string, Outcomes>();

  constructor(models: readonly string[], limits: BreakerLimits) {
    this.#models = models;
    this.#limits = limits;
  }

  /** The model with the fewest failures. */
  next(): string {
    const [first, ...rest] = this.#models;
    if (first === undefined) throw new Untestable('a model with this dialect');
    return rest.reduce((min, model) => (this.#of(model).failed < this.#of(min).failed ? model : min), first);
  }

  /** How many good calls a model needs before `coming` further failures in a row. */
  goodCallsBefore(model: string, coming: number): number {
    const { failed, total, inARow } = this.#of(model);
    const { inARow: max, outcomes, sharePercent } = this.#limits;
    const holds = (good: number): boolean => {
      const row = (good > 0 ? 0 : inARow) + coming;
      const all = total + good + coming;
      // Good calls that were not counted here only help, once there are enough outcomes to judge by.
      return row < max && ((failed + coming) * 100) / Math.max(all, outcomes) < sharePercent;
    };
    let good = 0;
    while (!holds(good) && good < 100) good += 1;
    return good;
  }

  failed(model: string, times: number): void {
    const seen = this.#of(model);
    this.#seen.set(model, {
      failed: seen.failed + times,
      total: seen.total + times,
      inARow: seen.inARow + times,
    });
  }

  served(model: string): void {
    const seen = this.#of(model);
    this.#seen.set(model, { ...seen, total: seen.total + 1, inARow: 0 });
  }

  /** Notes that time has passed: outcomes older than the window no longer count. */
  rested(): void {
    for (const [model, { inARow }] of this.#seen)
      this.#seen.set(model, { failed: inARow, total: inARow, inARow });
  }

  #of(model: string): Outcomes {
    return this.#seen.get(model) ?? { failed: 0, total: 0, inARow: 0 };
  }
}

/**
 * Call this before a call that will fail at the upstream. It makes as many good calls on the model as its breaker
 * needs to stay closed, whatever failures the check has caused before. `coming` is the number of attempts that may
 * fail.
 */
export async function keepClosed(
  { target, http, newScene }: CheckParts,
  model: string,
  coming = 2,
): Promise<void> {
  await keepClosedBy({ target, http }, model, coming, async () => {
    await http.openChat(newScene().minimal(model), { label: `a good call on ${model}` }).done;
  });
}

/** The same with another kind of good call. A tenant of a check has one budget for all endpoints. */
export async function keepClosedBy(
  { target, http }: Pick<CheckParts, 'target' | 'http'>,
  model: string,
  coming: number,
  makeGoodCall: () => Promise<void>,
): Promise<void> {
  const budget = budgets.get(http) ?? new BreakerBudget([], limitsOf(target));
  budgets.set(http, budget);
  for (let good = budget.goodCallsBefore(model, coming); good > 0; good -= 1) {
    await makeGoodCall();
    budget.served(model);
  }
  budget.failed(model, coming);
}

/** A budget for each dialect of which the deployment has a model, in an order drawn by seed. */
export function breakerBudgetsOf(
  { rng, judge, target }: CheckParts,
  dialects: readonly Dialect[],
): Map<Dialect, BreakerBudget> {
  const budgets = new Map<Dialect, BreakerBudget>();
  for (const dialect of dialects) {
    const models = rng.shuffle(nativeModels(target).filter((model) => dialectOf(model) === dialect));
    if (models.length > 0) budgets.set(dialect, new BreakerBudget(models, limitsOf(target)));
    else judge.note(`no model whose upstream speaks ${dialect}`);
  }
  if (budgets.size === 0) throw new Untestable(`a model whose upstream speaks ${dialects.join(' or ')}`);
  return budgets;
}

function limitsOf(target: Target): BreakerLimits {
  const declared = target.profile.upstream?.breaker;
  return {
    inARow: declared?.consecutive_failures ?? 5,
    outcomes: declared?.window_least ?? 10,
    sharePercent: declared?.window_failure_percent ?? 50,
  };
}
