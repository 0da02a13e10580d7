import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { chatModel } from '../../oracle/chat-catalogue.ts';
import { dollarText, fraction } from '../../oracle/money.ts';
import { must, part } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { mustBeTimes, mustCostMore } from '../../steps/money/compare-charges.ts';
import { named, type Priced, pricedCall } from '../../steps/money/priced-call.ts';

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
