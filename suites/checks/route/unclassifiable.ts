import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { plainAccepted } from '../../oracle/accepted.ts';
import { must, part } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { judgeOut, mustServe, openBreakers } from '../../steps/failures/outage-state.ts';
import {
  type BreakerBudget,
  breakerBudgetsOf,
  routedCall,
  routesOf,
} from '../../steps/failures/routed-call.ts';

/** Answers in no dialect's form, as proxies and crashed servers give them. */
const junk: readonly { status: number; contentType: string; body: (canary: string) => string }[] = [
  {
    status: 418,
    contentType: 'text/html',
    body: (canary) => `<html><title>418</title><h1>${canary}</h1></html>`,
  },
  { status: 418, contentType: 'application/json', body: (canary) => `{"error":"${canary}"` },
  {
    status: 451,
    contentType: 'application/json',
    body: (canary) => `{"error":{"message":"${canary}","type":"x","code":"${canary}"}}`,
  },
  { status: 418, contentType: 'application/octet-stream', body: (canary) => `\u0000\u0001${canary}` },
  { status: 418, contentType: 'text/plain', body: () => '' },
];

export const junkIsUpstreamError = defineCheck({
  id: 'route.unclassifiable.upstream-error',
  title: 'an unclassifiable upstream error gives 502 upstream_error after one try, without its text',
  requirements: ['ROUTE-008'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async ({ cases, target, http, newScene, judge, rng }) => {
    for (const [place, { status, contentType, body }] of junk.entries()) {
      cases.count();
      const model = target.anyModel();
      const twin = await http.chat(newScene().minimal(model), { label: 'positive twin' });
      judge.completed(twin, { ...plainAccepted, model });
      const scene = newScene();
      const canary = `canary-${rng.hex(12)}`;
      await scene.script({
        status,
        headers: { 'content-type': contentType, 'x-upstream-detail': canary },
        body: body(canary),
      });
      const stream = place % 2 === 1;
      const request = { ...scene.minimal(model), ...(stream ? { stream } : {}) };
      const label = `upstream ${status} ${contentType}${stream ? ', stream' : ''}`;
      const exchange = await http.chat(request, { label });
      judge.refused(exchange, {
        requirement: 'ROUTE-008',
        aspect: 'unclassifiable-code',
        codes: ['upstream_error'],
        param: null,
        twin,
      });
      const attempts = (await scene.requestsNow()).length;
      must(attempts === 1, {
        requirement: 'ROUTE-008',
        aspect: 'one-attempt',
        expected: 'one request at the upstream',
        actual: `${attempts}`,
        exchange,
        twin,
      });
      const head = JSON.stringify(exchange.response?.headers ?? []);
      must(!head.includes(canary) && !exchange.response?.body.includes(canary), {
        requirement: 'ERR-009',
        aspect: 'no-raw-text',
        expected: "none of the upstream's own words",
        actual: `the answer holds ${canary}`,
        exchange,
        twin,
      });
    }
  },
});

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
