import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { NativeCounts } from '../../generators/native/answer.ts';
import { chatModel } from '../../oracle/chat-catalogue.ts';
import { dollarText, fraction, whole } from '../../oracle/money.ts';
import { must, part } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import {
  fromNothing,
  mustBeTimes,
  mustCostMore,
  mustCostTheSame,
} from '../../steps/money/compare-charges.ts';
import { named, type Priced, pricedCall } from '../../steps/money/priced-call.ts';

const requirement = 'BILL-002';

export const chargesAreLinear = defineCheck({
  id: 'bill.charge.linear',
  title: 'charges grow linearly with input and with output tokens, and reasoning counts as output',
  requirements: [requirement],
  kind: 'metamorphic',
  needs: ['upstream.control', 'charges'],
  run: async (parts) => {
    const { cases, target } = parts;
    for (const [place, model] of (cases.full ? target.models : dialectModels(target)).entries())
      await part(() => judgeLinear(parts, model, place % 2 === 1));
  },
});

async function judgeLinear(parts: CheckParts, model: string, stream: boolean): Promise<void> {
  const cost = (label: string, prompt: number, completion: number, thought?: number): Promise<Priced> => {
    const counts: NativeCounts = {
      prompt_tokens: prompt,
      completion_tokens: completion,
      ...(thought === undefined ? {} : { reasoning_tokens: thought }),
    };
    return pricedCall(parts, { model, stream, counts, label }, { requirement });
  };
  const [input, output] = [50_001 + parts.rng.int(50_000), 20_001 + parts.rng.int(20_000)];
  const nothing = await cost('one token each way', 1, 1);
  const once = await cost('some of both', input + 1, output + 1);
  const inputOnly = await cost('the input alone', input + 1, 1);
  const outputOnly = await cost('the output alone', 1, output + 1);
  const first = await cost('half of twice', input, output);
  const twice = await cost('twice', 2 * input, 2 * output);
  mustCostMore(inputOnly, nothing, { requirement, aspect: 'input-costs' });
  mustCostMore(outputOnly, nothing, { requirement, aspect: 'output-costs' });
  mustBeTimes(
    { from: outputOnly, to: once },
    whole(1),
    { from: nothing, to: inputOnly },
    { requirement, aspect: 'input-and-output-add-up' },
  );
  // A price depends on tokens only, so repeating the call costs the same.
  const rule = { requirement, aspect: 'doubled' };
  mustBeTimes({ from: first, to: twice }, whole(1), fromNothing(first), rule);
  const thought = await cost('output alone, nearly all of it reasoning', 1, output + 1, output);
  mustCostTheSame(thought, outputOnly, { requirement, aspect: 'thoughts-are-output' });
}

const cheaper = { requirement: 'BILL-004', aspect: 'cheaper' };

/** On beta-* models a cached token costs a tenth. */
export const cachedTokensAreCheaper = defineCheck({
  id: 'bill.cached.cheaper',
  title: 'the more of a prompt is cached the less it costs, and no cached token is charged twice',
  requirements: ['BILL-004', 'BILL-005'],
  kind: 'metamorphic',
  needs: ['upstream.control', 'charges'],
  run: async (parts) => {
    const { cases, target } = parts;
    for (const [place, model] of (cases.full ? target.models : dialectModels(target)).entries())
      await part(() => judgeCached(parts, model, place % 2 === 1));
  },
});

async function judgeCached(parts: CheckParts, model: string, stream: boolean): Promise<void> {
  const prompt = 150_001 + parts.rng.int(100_000);
  const part = 40_001 + parts.rng.int(40_000);
  const cost = (label: string, counts: { prompt: number; cached?: number }): Promise<Priced> =>
    pricedCall(
      parts,
      {
        model,
        stream,
        label,
        counts: { prompt_tokens: counts.prompt, completion_tokens: 3, cached_tokens: counts.cached ?? 0 },
      },
      { requirement: cheaper.requirement },
    );
  const none = await cost('nothing of it cached', { prompt });
  const some = await cost('some of it cached', { prompt, cached: part });
  const all = await cost('all of it cached', { prompt, cached: prompt });
  const more = await cost('nothing cached, twice as long', { prompt: 2 * prompt });
  for (const priced of [some, all]) {
    must(priced.charge <= none.charge, {
      requirement: 'BILL-005',
      aspect: 'not-in-full-as-well',
      expected: `no more than ${dollarText(none.charge)}, the cost of "${named(none)}"`,
      actual: `${dollarText(priced.charge)} for "${named(priced)}"`,
      exchange: priced.exchange,
      twin: none.exchange,
    });
  }
  mustCostMore(none, some, cheaper);
  mustCostMore(some, all, cheaper);
  const saved = { from: all, to: none };
  mustBeTimes({ from: some, to: none }, fraction(part, prompt), saved, {
    ...cheaper,
    aspect: 'by-the-token',
  });
  if (chatModel(model)?.family !== 'beta') return;
  mustBeTimes(saved, fraction(9, 10), { from: none, to: more }, { ...cheaper, aspect: 'a-tenth' });
}
