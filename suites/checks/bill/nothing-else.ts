import type { Reply } from 'gatecheck-simulators/client';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { requestIdsOf } from '../../engine/request-id.ts';
import { oneTool } from '../../oracle/sample-tools.ts';
import { part } from '../../rules/violation.ts';
import { promptOfWords } from '../../steps/chat/leave-stream.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { mustCostTheSame } from '../../steps/money/compare-charges.ts';
import { type PricedCall, pricedCall } from '../../steps/money/priced-call.ts';
import { compatProtocols } from '../../steps/protocols/protocol.ts';
import { goodsOf } from './goods.ts';

const requirement = 'BILL-001';

/** A difference between two calls that must not change the price. */
type Other = Omit<PricedCall, 'model' | 'counts'>;

const counts = { prompt_tokens: 70_003, completion_tokens: 9_007 };

/** A separate aspect for these calls, because they reveal a charge estimated from text length. */
const byLength = { prompt: 'a long prompt', answer: 'a long answer' } as const;

/** The caller's user must not matter either. */
export const nothingElseIsCharged = defineCheck({
  id: 'bill.charge.nothing-else',
  title: 'equal token counts cost the same whatever the text length, fields, latency, path or request id',
  requirements: [requirement],
  kind: 'metamorphic',
  needs: ['upstream.control', 'charges'],
  run: async (parts) => {
    const { cases, target } = parts;
    for (const model of cases.full ? target.models : dialectModels(target))
      await part(async () => {
        const base = await pricedCall(parts, { model, counts, label: 'a short call' }, { requirement });
        for (const other of othersFor(parts, model)) {
          const priced = await pricedCall(parts, { model, counts, ...other }, { requirement });
          mustCostTheSame(priced, base, { requirement, aspect: aspectOf(other) });
        }
      });
    await part(() => judgeRepeatedIds(parts));
  },
});

/** Callers and their proxies number calls, and some give several calls one number. Each call is still paid. */
async function judgeRepeatedIds(parts: CheckParts): Promise<void> {
  const id = parts.rng.hex(32);
  const headers = { 'x-request-id': id, 'x-correlation-id': id };
  const known = new Set<string>();
  for (const { buy } of await goodsOf(parts, parts.keys.K1, counts, requirement)) {
    const base = await buy('a request id of its own');
    for (const label of ['a request id of its caller', 'a request id of its caller, again']) {
      const priced = await buy(label, headers);
      const [own] = requestIdsOf(priced.exchange, parts.target.profile);
      // A deployment may take over the id. Then its ledger shows the sum of these calls.
      if (own !== undefined && known.has(own)) return;
      if (own !== undefined) known.add(own);
      mustCostTheSame(priced, base, { requirement, aspect: 'each-of-one-id' });
    }
  }
}

function aspectOf({ label }: Other): string {
  return label === byLength.prompt || label === byLength.answer
    ? 'text-length'
    : 'equal-counts-cost-the-same';
}

function othersFor({ target, rng }: CheckParts, model: string): Other[] {
  const slow: Reply = { pacing: { first_ms: 200 } };
  const called: Reply = { tool_calls: [{ name: oneTool.function.name, arguments: '{"word":"sea"}' }] };
  const compat = compatProtocols.filter(
    (protocol) =>
      protocol.serves(model) && (protocol.fact === null || !target.profile.absent.includes(protocol.fact)),
  );
  return [
    { label: byLength.prompt, text: promptOfWords(rng, 2_000) },
    { label: byLength.answer, reply: { text: promptOfWords(rng, 2_000), obey: false } },
    { label: 'a user', more: () => ({ user: 'somebody-else' }) },
    { label: 'metadata', more: () => ({ metadata: { job: 'night', page: '7' } }) },
    {
      label: 'an answer cut short',
      reply: { finish: 'length' },
      more: () => ({ temperature: 0.3, stop: ['#'] }),
    },
    { label: 'a tool call', reply: called, more: () => ({ tools: [oneTool] }) },
    { label: 'a slow upstream', reply: slow },
    ...compat.map((protocol): Other => ({ label: 'the same on another path', protocol })),
  ];
}
