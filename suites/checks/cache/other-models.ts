import { defineCheck } from '../../engine/check.ts';
import { tokenPriceOf } from '../../engine/declared-price.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import type { NativeCounts } from '../../generators/native/answer.ts';
import { chatModel } from '../../oracle/chat-catalogue.ts';
import { fraction } from '../../oracle/money.ts';
import { cacheRates } from '../../oracle/price.ts';
import { textBlock } from '../../oracle/sample-images.ts';
import { part, Untestable } from '../../rules/violation.ts';
import { onePerFamily } from '../../steps/chat/upstream-view.ts';
import { mustBeTimes, mustCostMore, mustCostTheSame } from '../../steps/money/compare-charges.ts';
import { hinted } from '../../steps/money/hinted.ts';
import { type Priced, pricedCall } from '../../steps/money/priced-call.ts';
import { isSuccess } from '../../wire/exchange.ts';

const requirement = 'CACHE-005';

export const otherModelsHaveTheirOwnRate = defineCheck({
  id: 'cache.rate.other-models',
  title: 'on models other than beta-* cached tokens cost less, and a cache hint costs nothing',
  requirements: [requirement],
  kind: 'metamorphic',
  needs: ['upstream.control', 'charges'],
  run: async (parts) => {
    const { target, cases } = parts;
    const models = target.models.filter((id) => chatModel(id)?.family !== 'beta');
    if (models.length === 0) throw new Untestable('models.enabled with a model that is not beta-*');
    for (const [place, model] of (cases.full ? models : onePerFamily(target, models)).entries())
      await part(() => judgeModel(parts, model, place % 2 === 1));
  },
});

async function judgeModel(parts: CheckParts, model: string, stream: boolean): Promise<void> {
  const { rng, target, judge } = parts;
  const few = { prompt_tokens: 1_001 + rng.int(1_000), completion_tokens: 7 };
  const tokens = 100_001 + rng.int(150_000);
  const many = { ...few, prompt_tokens: few.prompt_tokens + tokens };
  const cost = (label: string, counts: NativeCounts): Promise<Priced> =>
    pricedCall(parts, { model, stream, counts, label }, { requirement });
  const base = await cost('a short prompt', few);
  const plain = await cost(`${tokens} tokens more`, many);
  const read = await cost('the same, these tokens read from a cache', { ...many, cached_tokens: tokens });
  mustCostMore(plain, read, { requirement, aspect: 'cheaper' });
  const price = tokenPriceOf(target.profile, model);
  if (price === undefined) judge.note(`no price of ${model} is declared: its cached rate is not judged`);
  else {
    const rate = fraction(cacheRates(model, price).cached, 100);
    const rule = { requirement, aspect: 'own-rate' };
    mustBeTimes({ from: base, to: read }, rate, { from: base, to: plain }, rule);
  }
  await judgeHint(parts, model, plain);
}

/** A model without caching may refuse a hint (reading B-29); one that accepts it writes nothing. */
async function judgeHint(parts: CheckParts, model: string, plain: Priced): Promise<void> {
  const { http, newScene, judge } = parts;
  const withHint = (prompt: string): JsonObject => ({
    messages: [{ role: 'user', content: [hinted(textBlock(prompt), '1h')] }],
  });
  const body = { model, ...withHint(newScene().prompt()) };
  const asked = await http.chat(body, { label: `${model}, a hint` });
  if (!isSuccess(asked)) {
    judge.note(`${model}: cache hints are refused`);
    return;
  }
  const call = { model, counts: plain.call.counts, label: 'with a cache hint', more: withHint };
  const marked = await pricedCall(parts, call, { requirement });
  mustCostTheSame(marked, plain, { requirement, aspect: 'hint-costs-nothing' });
}
