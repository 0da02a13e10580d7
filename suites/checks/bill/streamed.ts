import fc from 'fast-check';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { spokenCounts } from '../../generators/answer-script.ts';
import { allOf, asStream, type NativeCounts } from '../../generators/native/answer.ts';
import { native } from '../../generators/native-answer.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { promptOfWords } from '../../steps/chat/leave-stream.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { type CallForm, formsOf } from '../../steps/money/call-forms.ts';
import { mustCostTheSame } from '../../steps/money/compare-charges.ts';
import { charged, pricedCall } from '../../steps/money/priced-call.ts';
import { coreProtocol } from '../../steps/protocols/protocol.ts';
import { mustBeFree } from './made.ts';

export const nothingIsInvented = defineCheck({
  id: 'bill.charge.uncounted',
  title: 'an answer without upstream usage costs nothing: no tokens are estimated from its text',
  requirements: ['BILL-001'],
  kind: 'upstream',
  needs: ['upstream.control', 'charges'],
  run: async (parts) => {
    for (const model of dialectModels(parts.target))
      for (const stream of [false, true]) {
        await judgeUncounted(parts, model, stream);
        await contradict(parts, model, stream);
      }
  },
});

async function judgeUncounted(
  { cases, newScene, meter, http, rng }: CheckParts,
  model: string,
  stream: boolean,
): Promise<void> {
  cases.count();
  const scene = newScene();
  const writer = native(dialectOf(model));
  const text = 'Nobody has counted any of this.';
  const reply = stream
    ? asStream(allOf(writer.stream([text], { usage: null })))
    : writer.completion({ text, usage: null });
  await scene.script(reply);
  const body = { ...scene.minimal(model, promptOfWords(rng, 500)), ...(stream ? { stream } : {}) };
  const label = `${model}, an upstream without counts${stream ? ', stream' : ''}`;
  const call = await charged(meter, () => http.chat(body, { label }));
  const rule = { requirement: 'BILL-001', aspect: 'uncounted-is-free' };
  mustBeFree(call, rule, 'the upstream has counted nothing');
}

/** Reports more cached tokens than prompt tokens. The rules for all exchanges judge the charge. */
async function contradict({ newScene, http }: CheckParts, model: string, stream: boolean): Promise<void> {
  const writer = native(dialectOf(model));
  if (writer.dialect === 'messages') return;
  const usage = { prompt_tokens: 1_000, completion_tokens: 9, cached_tokens: 1_500 };
  const text = 'Somebody has counted badly.';
  const scene = newScene();
  await scene.script(
    stream ? asStream(allOf(writer.stream([text], { usage }))) : writer.completion({ text, usage }),
  );
  const label = `${model}, more cached tokens than its prompt has${stream ? ', stream' : ''}`;
  await http.chat({ ...scene.minimal(model), ...(stream ? { stream } : {}) }, { label });
}

const requirement = 'BILL-010';

/** Counts of which a part was read from a cache. */
const some: NativeCounts = { prompt_tokens: 70_003, completion_tokens: 9_007, cached_tokens: 30_011 };

export const streamsCostTheSame = defineCheck({
  id: 'bill.charge.streamed',
  title: 'equal counts cost the same streamed and plain, on core and compat paths, cache included',
  requirements: [requirement],
  kind: 'property',
  needs: ['upstream.control', 'charges'],
  run: async (parts) => {
    const models = dialectModels(parts.target);
    const forms = new Map<string, readonly CallForm[]>();
    for (const model of models) forms.set(model, await formsOf(parts, model));
    const cases = models.map((model) => spokenCounts(dialectOf(model)).map((counts) => ({ model, counts })));
    await parts.cases.forAll(
      fc.oneof(...cases),
      ({ model, counts }) => judgeForms(parts, model, counts, forms.get(model) ?? []),
      { quick: 4, full: 60, examples: models.map((model) => ({ model, counts: some })) },
    );
  },
});

async function judgeForms(
  parts: CheckParts,
  model: string,
  counts: NativeCounts,
  forms: readonly CallForm[],
): Promise<void> {
  const label = JSON.stringify(counts);
  const plain = await pricedCall(parts, { model, counts, label }, { requirement });
  for (const { protocol, stream } of forms) {
    if (protocol === coreProtocol && !stream) continue;
    const priced = await pricedCall(parts, { model, counts, label, protocol, stream }, { requirement });
    const aspect = protocol === coreProtocol ? 'stream-costs-the-same' : `${protocol.name}-costs-the-same`;
    mustCostTheSame(priced, plain, { requirement, aspect });
  }
}
