import { breakerRulesOf } from '../../engine/breaker-rules.ts';
import { defineCheck } from '../../engine/check.ts';
import { inLockstep } from '../../engine/lockstep.ts';
import { longestOutMs } from '../../engine/longest-outage.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import { type BreakerTimeline, breakerTimelines, knownTimelines } from '../../generators/breaker-timeline.ts';
import type { BreakerRules } from '../../oracle/breaker.ts';
import { Untestable } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { isServed } from '../../steps/failures/outage-state.ts';
import { restLateMs } from '../../steps/failures/pass-timeouts.ts';
import { at, type BreakerBudget, routedCall } from '../../steps/failures/routed-call.ts';
import { playTimeline } from './play-timeline.ts';

/** How many timelines to draw in a quick and in a full run, in addition to the fixed ones. */
const timelines = { quick: 4, full: 508 } as const;

const tenants = { quick: timelines.quick + knownTimelines.length, full: 64 } as const;

interface Stage {
  readonly parts: CheckParts;
  readonly models: readonly string[];
  /** Tenants and models that an earlier round has used. */
  readonly used: Set<string>;
}

export const breakerKeepsItsParameters = defineCheck({
  id: 'route.breaker.timelines',
  title: 'over generated timelines the breaker opens, probes and closes exactly as declared',
  requirements: ['ROUTE-011', 'ROUTE-009'],
  kind: 'property',
  needs: ['upstream.control', 'upstream.breaker', 'time'],
  clock: 'jump',
  tenants,
  run: async (parts) => {
    // Drawn once, so that a retried or replayed timeline meets the same models.
    const stage: Stage = { parts, models: dialectModels(parts.target), used: new Set<string>() };
    await parts.cases.forAllTogether(breakerTimelines, (cases) => playAll(stage, cases), {
      ...timelines,
      examples: knownTimelines,
      shrinkMs: parts.cases.full ? 60_000 : 20_000,
    });
  },
});

/** Runs the timelines in rounds, one per tenant, and returns the fault of each. */
async function playAll(
  { parts, models, used }: Stage,
  cases: readonly BreakerTimeline[],
): Promise<(Error | null)[]> {
  const errors: (Error | null)[] = [];
  const rules = rulesOf(parts.target);
  for (let start = 0; start < cases.length; start += parts.tenants.length) {
    parts.cases.signal.throwIfAborted();
    const round = cases.slice(start, start + parts.tenants.length).map((timeline, place) => {
      const budget: BreakerBudget = {
        tenant: at(parts.tenants, place),
        model: at(models, timeline.model),
        channels: [],
        fallback: null,
        vision: false,
        lacksVision: false,
      };
      return { timeline, budget };
    });
    await easeAll(
      parts,
      round.map(({ budget }) => budget),
      used,
    );
    const results = await inLockstep(
      parts.clock,
      round.map(
        ({ timeline, budget }) =>
          (time) =>
            playTimeline({ parts, budget, rules, time }, timeline),
      ),
    );
    for (const result of results) errors.push(result.status === 'fulfilled' ? null : asError(result.reason));
    if (errors.some((error) => error !== null)) break;
  }
  return errors;
}

/** Makes breakers forget earlier rounds: a wait, a successful call, and another wait for the window. */
async function easeAll(
  { clock, target }: CheckParts,
  budgets: readonly BreakerBudget[],
  used: Set<string>,
): Promise<void> {
  const idOf = ({ tenant, model }: BreakerBudget): string => `${tenant.name} ${model}`;
  if (budgets.some((budget) => used.has(idOf(budget)))) {
    await clock.elapse(longestOutMs(target.profile), restLateMs);
    await Promise.all(budgets.map(ease));
  }
  // The tenant's earlier successful calls also count as outcomes, so their window must pass first.
  await clock.elapse(rulesOf(target).windowMs + 1_000, restLateMs);
  for (const budget of budgets) used.add(idOf(budget));
}

async function ease(budget: BreakerBudget): Promise<void> {
  for (let call = 0; call < 2; call += 1)
    if (isServed(await routedCall(budget, {}, { label: `${budget.model}, between timelines` }))) return;
}

function rulesOf({ profile }: Target): BreakerRules {
  const rules = breakerRulesOf(profile);
  if (rules === null) throw new Untestable('upstream.breaker');
  return rules;
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
