import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import type { NativeCounts } from '../../generators/native/answer.ts';
import { must } from '../../rules/violation.ts';
import { keepClosed } from '../../steps/failures/breaker-budget.ts';
import { serverFault } from '../../steps/failures/routed-call.ts';
import { compatProtocols, coreProtocol, type Protocol } from '../../steps/protocols/protocol.ts';
import { readSaid } from '../../steps/protocols/said.ts';
import type { Exchange } from '../../wire/exchange.ts';

const requirement = 'BILL-007';

/** Calls with every kind of count. */
const usages: readonly NativeCounts[] = [
  { prompt_tokens: 1_237, completion_tokens: 89 },
  { prompt_tokens: 12_457, completion_tokens: 891, cached_tokens: 12_304 },
];

interface QuotaCall {
  readonly protocol: Protocol;
  readonly model: string;
  readonly counts: NativeCounts;
  readonly stream: boolean;
}

/** Every path counts against the quota, and an exhausted quota refuses calls. */
export const tokensCountAgainstTheQuota = defineCheck({
  id: 'bill.quota.tokens',
  title: 'prompt and completion tokens, even cached, count against the quota; failed calls do not',
  requirements: [requirement],
  kind: 'upstream',
  needs: ['upstream.control', 'hooks.accounts'],
  run: async (parts) => {
    const { accounts, cases, newScene, target, http, judge } = parts;
    const calls = callsOf(target);
    const quota = calls.reduce((sum, { counts }) => sum + totalOf(counts), 0);
    const { key } = await accounts.create({ credits: '1000', monthly_tokens: quota });
    await judgeFailed(parts, key);
    let used = 0;
    for (const call of calls) {
      const exchange = await served(parts, key, call);
      used += totalOf(call.counts);
      await judgeUsed(parts, key, used, exchange);
    }
    // The quota is now used up exactly.
    for (const stream of [false, true]) {
      cases.count();
      const body = { ...newScene().minimal(target.anyModel()), ...(stream ? { stream } : {}) };
      const exchange = await http.chat(body, { key, label: 'the monthly quota is used up' });
      judge.refused(exchange, { requirement, aspect: 'used-up', codes: ['quota_exceeded'], param: null });
    }
  },
});

function callsOf(target: Target): QuotaCall[] {
  const compat = compatProtocols.filter(({ fact }) => fact === null || !target.profile.absent.includes(fact));
  return [coreProtocol, ...compat].flatMap((protocol) => {
    const models = target.nativeModels.filter((model) => protocol.serves(model));
    if (models.length === 0) return [];
    return usages.map((counts, place) => ({
      protocol,
      model: target.draw(models),
      counts,
      stream: protocol === coreProtocol && place === 1,
    }));
  });
}

async function served(
  { cases, newScene, http, judge }: CheckParts,
  key: string,
  { protocol, model, counts, stream }: QuotaCall,
): Promise<Exchange> {
  cases.count();
  const scene = newScene();
  await scene.script({ text: 'Counted elsewhere.', usage: { ...counts } });
  const label = `${model} on ${protocol.name}, ${totalOf(counts)} tokens of the quota`;
  const exchange = await protocol.send(http, model, protocol.body(scene, { model }), { label, stream, key });
  readSaid(judge, protocol, exchange, { requirement, aspect: 'left', model, stream });
  return exchange;
}

/** Judges that failed calls use no quota: the next successful calls need all remaining tokens. */
async function judgeFailed(parts: CheckParts, key: string): Promise<void> {
  const { cases, target, newScene, http } = parts;
  cases.count();
  const model = target.anyModel();
  await keepClosed(parts, model);
  const scene = newScene();
  await scene.script(serverFault);
  const exchange = await http.chat(scene.minimal(model), { key, label: 'an upstream that fails' });
  await judgeUsed(parts, key, 0, exchange);
}

/** Judges the number of used tokens where the deployment reports it. */
async function judgeUsed(
  { target, meter }: CheckParts,
  key: string,
  used: number,
  exchange: Exchange,
): Promise<void> {
  if (target.profile.hooks.balance === undefined) return;
  const { tokensUsed } = await meter.settledAccount(key);
  if (tokensUsed === null) return;
  must(tokensUsed === used, {
    requirement,
    aspect: used === 0 ? 'failed-uncounted' : 'tokens-counted',
    expected: `${used} tokens used this month`,
    actual: `${tokensUsed}`,
    exchange,
  });
}

function totalOf({ prompt_tokens, completion_tokens }: NativeCounts): number {
  return prompt_tokens + completion_tokens;
}
