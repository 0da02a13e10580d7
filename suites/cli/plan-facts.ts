import type { PlanFacts } from '../plan/plan.ts';
import type { Pricing } from '../profile/money.ts';
import { concurrencyOf } from '../runner/concurrency.ts';
import type { Preflight } from '../runner/preflight.ts';
import { type RunOptions, sizeOf } from './run-options.ts';

/** What a plan is made from, after the first requests have found the deployment. */
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
    // Checks that share an account share its slots, which the time of each is reckoned with already.
    concurrency: profile.lanes.length === 0 ? 1 : concurrencyOf(profile, latencyMs),
    answerMs: options.answerMs ?? null,
    sent: exchanges,
  };
}
