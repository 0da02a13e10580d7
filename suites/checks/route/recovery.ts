import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { plainAccepted } from '../../oracle/accepted.ts';
import { must } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { coolDownsOf, isServed, judgeOut, openBreakers } from '../../steps/failures/outage-state.ts';
import {
  type BreakerBudget,
  breakerBudgetsOf,
  type RoutedCall,
  routedCall,
  routesOf,
  serverFault,
} from '../../steps/failures/routed-call.ts';

/** How long after its cool-down a channel may take to be used again (B-108), ms. */
const slackMs = 30_000;

export const breakerClosesByItself = defineCheck({
  id: 'route.recovery.by-itself',
  title: 'a broken channel serves again by itself after its cool-down once its upstream recovers',
  requirements: ['ROUTE-011'],
  kind: 'timing',
  needs: ['upstream.control', 'time'],
  clock: 'jump',
  tenants: { quick: 4, full: 4 },
  run: async (parts) => {
    const { tenants, target, clock } = parts;
    const models = [...dialectModels(target), ...routesOf(target, 'pair').slice(0, 1)];
    // One tenant each where there are enough. Without a movable clock they wait in parallel.
    const budgets = models.flatMap(
      (model, place) => breakerBudgetsOf(tenants, [model])[place % tenants.length] ?? [],
    );
    const opened = await Promise.all(budgets.map((budget) => openBreakers(parts, budget)));
    const [first, next] = coolDownsOf(target);
    await outAtHalf(parts, budgets, first, Math.min(...opened));
    await clock.elapse(first / 2 + marginMs(first));
    // The probe fails, so a longer cool-down begins.
    const again = clock.now();
    await Promise.all(budgets.map(failProbes));
    await outAtHalf(parts, budgets, next, again + next);
    await clock.elapse(next / 2 + marginMs(next));
    await judgeRecovers(parts, budgets);
  },
});

function marginMs(coolDownMs: number): number {
  return Math.min(1_000, coolDownMs / 4);
}

/** In the middle of a cool-down the breaker must still be open. */
async function outAtHalf(
  parts: CheckParts,
  budgets: readonly BreakerBudget[],
  coolDownMs: number,
  until: number,
): Promise<void> {
  await parts.clock.elapse(coolDownMs / 2);
  if (parts.target.profile.upstream?.breaker === undefined) return;
  await Promise.all(
    budgets.map((budget) => judgeOut(parts, budget, `after half of ${coolDownMs} ms`, { until })),
  );
}

async function failProbes(budget: BreakerBudget): Promise<void> {
  const probes = Math.max(1, budget.channels.length);
  for (let probe = 0; probe < probes; probe += 1)
    await routedCall(budget, { '*': [serverFault] }, { label: `${budget.model}, the probe fails` });
}

/** Calls until all are served, while the slack passes. */
async function judgeRecovers(
  { clock, cases, judge }: CheckParts,
  budgets: readonly BreakerBudget[],
): Promise<void> {
  let ill: readonly BreakerBudget[] = budgets;
  let last: RoutedCall | null = null;
  for (const passMs of [0, slackMs / 3, (slackMs * 2) / 3]) {
    if (ill.length === 0) break;
    if (passMs > 0) await clock.elapse(passMs);
    const still: BreakerBudget[] = [];
    for (const budget of ill) {
      last = await routedCall(budget, {}, { label: `${budget.model}, healthy again` });
      if (!isServed(last)) still.push(budget);
    }
    ill = still;
  }
  must(ill.length === 0, {
    requirement: 'ROUTE-011',
    aspect: 'recovers',
    expected: `an answer within the cool-down and ${slackMs} ms: the upstream is healthy again`,
    actual: `HTTP ${last?.exchange.response?.status} for ${ill.map(({ model }) => model).join(', ')}`,
    exchange: last?.exchange,
  });
  for (const budget of budgets) {
    cases.count();
    for (let call = 0; call < 3; call += 1) {
      const { exchange } = await routedCall(budget, {}, { label: `${budget.model}, back for good` });
      judge.completed(exchange, {
        ...plainAccepted,
        requirement: 'ROUTE-011',
        aspect: 'stays-back',
        model: budget.model,
      });
    }
  }
}
