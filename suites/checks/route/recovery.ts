import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { plainAccepted } from '../../oracle/accepted.ts';
import type { RouteProfile } from '../../profile/profile.ts';
import { must, part } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import {
  coolDownsOf,
  isServed,
  judgeOut,
  longestOutageMs,
  mustServe,
  openBreakers,
} from '../../steps/failures/outage-state.ts';
import {
  type BreakerBudget,
  breakerBudgetsOf,
  type RoutedCall,
  routedCall,
  routesOf,
  serverFault,
} from '../../steps/failures/routed-call.ts';

/** How long the upstream delays each of two answers, so that both are in flight at once, ms. */
const togetherMs = 300;

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
    const budgets = models.flatMap((model, place) => recoveriesOf(tenants, model, place));
    const opened = await Promise.all(budgets.map((budget) => openBreakers(parts, budget)));
    const [first, next] = coolDownsOf(target);
    await outAtHalf(parts, budgets, first, Math.min(...opened));
    await clock.elapse(first / 2 + marginMs(first));
    // The probe fails, so a longer cool-down begins.
    const again = clock.now();
    await Promise.all(budgets.map(failProbes));
    await outAtHalf(parts, budgets, next, again + next);
    await clock.elapse(next / 2 + marginMs(next));
    await judgeRecovers(parts, budgets, longestOutageMs - next);
  },
});

function marginMs(coolDownMs: number): number {
  return Math.min(1_000, coolDownMs / 4);
}

/** Judges that the breaker is still open in the middle of a cool-down. */
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

/** A model that recovers only by plain calls or only by streams, because each form reports its successes separately. */
interface Recovery extends BreakerBudget {
  readonly stream: boolean;
}

/** Both forms of a model, with one tenant each. With a single tenant, the models alternate between the forms. */
function recoveriesOf(
  tenants: CheckParts['tenants'],
  model: string | RouteProfile,
  place: number,
): Recovery[] {
  const budgets = breakerBudgetsOf(tenants, [model]);
  const forms = tenants.length > 1 ? [false, true] : [place % 2 === 1];
  return forms.flatMap((stream, nth) => {
    const budget = budgets[(place + nth) % budgets.length];
    return budget === undefined ? [] : [{ ...budget, stream }];
  });
}

const labelOf = ({ model, stream }: Recovery, what: string): string =>
  `${model}${stream ? ', stream' : ''}, ${what}`;

/** Calls until all are served: after the cool-down, when no outage may last any longer, and once after a probe. */
async function judgeRecovers(
  { clock, cases, judge }: CheckParts,
  budgets: readonly Recovery[],
  slackMs: number,
): Promise<void> {
  let ill: readonly Recovery[] = budgets;
  let last: RoutedCall | null = null;
  for (const passMs of [0, slackMs, 0]) {
    if (ill.length === 0) break;
    if (passMs > 0) await clock.elapse(passMs);
    const calls = await Promise.all(
      ill.map(async (budget) => {
        const options = { label: labelOf(budget, 'healthy again'), stream: budget.stream };
        return { budget, call: await routedCall(budget, {}, options) };
      }),
    );
    const unserved = calls.filter(({ call }) => !isServed(call));
    last = unserved.at(-1)?.call ?? null;
    ill = unserved.map(({ budget }) => budget);
  }
  must(ill.length === 0, {
    requirement: 'ROUTE-011',
    aspect: 'recovers',
    expected: `an answer ${longestOutageMs} ms after the last failure: the upstream is healthy again`,
    actual: `HTTP ${last?.exchange.response?.status} for ${ill.map(({ model, stream }) => `${model}${stream ? ', stream' : ''}`).join('; ')}`,
    exchange: last?.exchange,
  });
  // A tenant has room for two calls at once.
  await Promise.all(
    [...Map.groupBy(budgets, ({ tenant }) => tenant).values()].map(async (own) => {
      for (const budget of own) {
        cases.count();
        await part(() => judgeBackForGood(judge, budget));
      }
    }),
  );
}

/** Judges that a recovered channel serves two calls at once, instead of one probe at a time. */
async function judgeBackForGood(judge: CheckParts['judge'], budget: Recovery): Promise<void> {
  const slow = { '*': [{ pacing: { first_ms: togetherMs } }] };
  const { stream } = budget;
  const label = labelOf(budget, 'back for good');
  const calls = await Promise.all([1, 2].map(() => routedCall(budget, slow, { label, stream })));
  const rule = { requirement: 'ROUTE-011', aspect: 'stays-back' };
  for (const call of calls) {
    const expected = `both of two calls at once served: a ${stream ? 'stream' : 'call'} has ended well before them`;
    mustServe(call, { ...rule, expected });
    if (!stream) judge.completed(call.exchange, { ...plainAccepted, ...rule, model: budget.model });
  }
}
