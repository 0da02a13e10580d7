import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { plainAccepted } from '../../oracle/accepted.ts';
import { must } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { isServed, judgeOut, openBreakers } from '../../steps/failures/outage-state.ts';
import { routedCall, routesOf, type Strain, strainsOf } from '../../steps/failures/routed-call.ts';

export const outageIsQuick = defineCheck({
  id: 'route.outage.quick',
  title:
    'a model whose channels are all broken is answered 503 channel_outage, quickly and without an upstream call',
  requirements: ['ROUTE-009', 'ERR-030'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (kit) => {
    const several = [...routesOf(kit, 'pair'), ...routesOf(kit, 'trio')];
    for (const strain of strainsOf(kit, [...dialectModels(kit), ...several])) {
      const twin = await routedCall(strain, {}, { label: `${strain.model}, healthy` });
      kit.judge.completed(twin.exchange, { ...plainAccepted, model: strain.model });
      const until = await openBreakers(kit, strain);
      await judgeOut(kit, strain, 'given up', {
        until,
        rule: { requirement: 'ERR-030', aspect: 'provoked' },
      });
      await judgeOut(kit, strain, 'given up, stream', { until, stream: true });
      await judgeOut(kit, strain, 'still given up', { until });
    }
  },
});

export const outageIsOneModels = defineCheck({
  id: 'route.outage.one-model',
  title:
    'the outage of one model leaves all others alone, also those that share its channel and those that share its native name',
  requirements: ['ROUTE-012'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (kit) => {
    const ill = kit.rng.pick(dialectModels(kit));
    const [strain] = strainsOf(kit, [ill]);
    if (strain === undefined) return;
    const until = await openBreakers(kit, strain);
    const others = [...kit.target.models.filter((model) => model !== ill), ...routesOf(kit, 'pair')];
    for (const other of strainsOf(kit, others)) await judgeUnharmed(kit, other, ill);
    await judgeOut(kit, strain, 'still given up after the others were served', { until });
  },
});

async function judgeUnharmed(kit: CheckParts, other: Strain, ill: string): Promise<void> {
  kit.cases.count();
  const call = await routedCall(other, {}, { label: `${other.model}, while ${ill} is given up` });
  must(isServed(call), {
    requirement: 'ROUTE-012',
    aspect: 'others-served',
    expected: `${other.model} served while the channels of ${ill} are given up`,
    actual: `HTTP ${call.exchange.response?.status} after ${call.channels.length} upstream calls`,
    exchange: call.exchange,
  });
  kit.judge.completed(call.exchange, { ...plainAccepted, model: other.model });
}
