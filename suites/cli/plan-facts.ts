import type { PlanFacts } from '../plan/plan.ts';
import type { Pricing } from '../profile/money.ts';
import { concurrencyOf } from '../runner/concurrency.ts';
import type { Preflight } from '../runner/preflight.ts';

/** What a plan is made from, after the first requests have found the deployment. */
export function planFacts(
  options: { readonly full: boolean; readonly answerMs?: number },
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
    full: options.full,
    concurrency: concurrencyOf(profile),
    answerMs: options.answerMs ?? null,
    sent: exchanges,
  };
}
