import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { plainAccepted } from '../../oracle/accepted.ts';
import { part } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { judgeOut, mustServe, openBreakers } from '../../steps/failures/outage-state.ts';
import {
  type BreakerBudget,
  breakerBudgetsOf,
  routedCall,
  routesOf,
} from '../../steps/failures/routed-call.ts';

export const outageIsQuick = defineCheck({
  id: 'route.outage.quick',
  title: 'with all channels down a model answers 503 channel_outage fast, with no upstream call',
  requirements: ['ROUTE-009', 'ERR-030'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const { judge, target, tenants } = parts;
    const several = [...routesOf(target, 'pair'), ...routesOf(target, 'trio')];
    for (const budget of breakerBudgetsOf(tenants, [...dialectModels(target), ...several]))
      await part(async () => {
        const twin = await routedCall(budget, {}, { label: `${budget.model}, healthy` });
        judge.completed(twin.exchange, { ...plainAccepted, model: budget.model });
        const until = await openBreakers(parts, budget);
        await judgeOut(parts, budget, 'breaker open', {
          until,
          rule: { requirement: 'ERR-030', aspect: 'provoked' },
        });
        await judgeOut(parts, budget, 'breaker open, stream', { until, stream: true });
        await judgeOut(parts, budget, 'breaker still open', { until });
      });
  },
});

export const outageIsOneModels = defineCheck({
  id: 'route.outage.one-model',
  title: 'an outage of one model spares all others, even on the same channel or native name',
  requirements: ['ROUTE-012'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const { rng, target, tenants } = parts;
    const ill = rng.pick(dialectModels(target));
    const [budget] = breakerBudgetsOf(tenants, [ill]);
    if (budget === undefined) return;
    const until = await openBreakers(parts, budget);
    const others = [...target.models.filter((model) => model !== ill), ...routesOf(target, 'pair')];
    for (const other of breakerBudgetsOf(tenants, others)) await judgeUnharmed(parts, other, ill);
    await judgeOut(parts, budget, 'breaker still open after the others were served', { until });
  },
});

async function judgeUnharmed({ cases, judge }: CheckParts, other: BreakerBudget, ill: string): Promise<void> {
  cases.count();
  const call = await routedCall(other, {}, { label: `${other.model}, during the outage of ${ill}` });
  mustServe(call, {
    requirement: 'ROUTE-012',
    aspect: 'others-served',
    expected: `${other.model} served while the breakers of ${ill} are open`,
  });
  judge.completed(call.exchange, { ...plainAccepted, model: other.model });
}
