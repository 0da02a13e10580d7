import type { Size } from 'gatecheck-reports/report';
import type { CheckFacts } from '../../engine/check.ts';
import { inOrderOfCost } from '../../plan/cheapest-first.ts';
import { loadCheckCosts } from '../../plan/check-costs.ts';
import { fittingSize, type Plan, type PlanFacts, planOf, timesOf } from '../../plan/plan.ts';
import { planInLine } from '../../plan/plan-text.ts';
import { declaredUrl } from '../../profile/declared-url.ts';
import type { Budget, Pricing } from '../../profile/money.ts';
import type { Profile } from '../../profile/profile.ts';
import { skewInWords } from '../../runner/clock-skew.ts';
import { concurrencyOf } from '../../runner/concurrency.ts';
import { countOf } from '../../runner/count-of.ts';
import { type Preflight, preflight } from '../../runner/preflight.ts';
import { budgetOf } from '../budget.ts';
import { type RunOptions, sizeOf } from '../run-options.ts';
import type { AskedRun } from './select-run.ts';

/** How a run goes about a target that was found. */
export interface PlannedRun {
  readonly found: Preflight;
  readonly size: Size;
  readonly budget: Budget & { readonly pricing: Pricing };
  /** The planned requests and their cost. */
  readonly plan: Plan;
  /** The expected time of each selected check that lacks no fact, ms. */
  readonly times: ReadonlyMap<string, number>;
  /** The selected checks in the order in which they are judged. */
  readonly ordered: readonly CheckFacts[];
  readonly concurrency: number;
}

/**
 * The size, the bounds and the order of a run.
 * @throws UsageError when dollars are bounded and a model has no price
 */
export function planRun({ options, checks }: AskedRun, found: Preflight): PlannedRun {
  const { profile, latencyMs } = found;
  const costs = loadCheckCosts();
  const budget = budgetOf(options, profile, found);
  const factsIn = (size: Size): PlanFacts => planFacts({ full: false, size }, found, budget.pricing);
  const planIn = (size: Size): Plan => planOf(checks, costs, factsIn(size));
  const size = fittingSize(options, budget.minutes, planIn);
  return {
    ...{ found, size, budget, plan: planIn(size), times: timesOf(checks, costs, factsIn(size)) },
    ordered: inOrderOfCost(checks, costs, { budget, profile, size, latencyMs }),
    concurrency: concurrencyOf(profile, latencyMs),
  };
}

/** Prints what will be judged and what it costs, before it costs anything. */
export function announce({ seed, options }: AskedRun, { found, plan, size }: PlannedRun): void {
  const { profile, lost, clockSkewMs } = found;
  const lines = [
    ...lost.map((text) => `Lost: ${text}`),
    planInLine(plan),
    ...(clockSkewMs === 0 || profile.hooks.clock !== undefined ? [] : [`Note: ${skewInWords(clockSkewMs)}`]),
    `Judging ${declaredUrl(profile)} with ${countOf(plan.checks, 'check')}, ${size}, seed ${seed}`,
  ];
  if (options.quiet !== true) process.stderr.write(`${lines.join('\n')}\n`);
}

/** The result of the first requests; null when the user interrupts. */
export async function look(profile: Profile, signal: AbortSignal): Promise<Preflight | null> {
  const interrupted = new Promise<null>((resolve) => {
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
  const found = preflight(profile, { signal }).catch((error: unknown) => {
    if (signal.aborted) return null;
    throw error;
  });
  return signal.aborted ? null : Promise.race([found, interrupted]);
}

/** The inputs of a plan, after the first requests have probed the deployment. */
export function planFacts(
  options: Pick<RunOptions, 'full' | 'size'> & { readonly answerMs?: number },
  found: Preflight,
  pricing: Pricing,
): PlanFacts {
  const { profile, models, mediaModels, latencyMs, exchanges } = found;
  return {
    profile,
    models,
    mediaModels,
    pricing,
    latencyMs,
    size: sizeOf(options),
    concurrency: concurrencyOf(profile, latencyMs),
    answerMs: options.answerMs ?? null,
    sent: exchanges,
  };
}
