import { declaredCharge, tokenPriceOf } from '../../engine/declared-price.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { type Fraction, fraction, type Pico, plus, rounded, times, whole } from '../../oracle/money.ts';
import { cacheRates, type UsageCounts } from '../../oracle/price.ts';
import { visibleUnit } from './compare-charges.ts';
import type { MarkedUp } from './payers.ts';
import { type Priced, pricedCall } from './priced-call.ts';

/** The range of what a call may cost. */
export interface Due {
  readonly least: Pico;
  readonly most: Pico;
}

/** The cost of token counts on a model, for a key. */
export type Pricing = (model: string, counts: UsageCounts, payer: MarkedUp) => Promise<Due>;

/** Pricing by the declared prices, to the last digit. */
export function declaredPricing({ target }: CheckParts): Pricing {
  return async (model, counts, payer) => {
    const due = declaredCharge(target.profile, model, counts, payer.markupOf(model));
    return { least: due, most: due };
  };
}

/** How many tokens are added to learn the price of one. */
const step = 1_000_000;
const few = { prompt_tokens: 1_000, completion_tokens: 7 };

interface Learnt {
  readonly base: Pico;
  readonly input: Fraction;
  readonly output: Fraction;
  readonly unit: Pico;
}

/**
 * Pricing learnt from the cost of tokens without a cache, with three calls for each model, because charges may be rounded.
 */
export async function learntPricing(
  parts: CheckParts,
  models: Iterable<string>,
  { key }: MarkedUp,
  requirement: string,
): Promise<Pricing> {
  const known = new Map<string, Learnt>();
  // One after the other, before anything else is sent: a replay sends the same.
  for (const model of models) known.set(model, await learn(parts, model, key, requirement));
  return async (model, counts) => {
    const learnt = known.get(model);
    if (learnt === undefined) throw new Error(`the prices of ${model} were not learnt`);
    const { base, input, output, unit } = learnt;
    const { prompt_tokens: prompt, cached_tokens, cache_write_5m_tokens, cache_write_1h_tokens } = counts;
    const isBeta = model.startsWith('beta-');
    const price = tokenPriceOf(parts.target.profile, model);
    const { cached, write5m, write1h } = cacheRates(model, isBeta ? {} : price);
    const plain = prompt - cached_tokens - cache_write_5m_tokens - cache_write_1h_tokens;
    const dueAt = (percent: number): Due => {
      const hundredths =
        plain * 100 +
        cached_tokens * percent +
        cache_write_5m_tokens * write5m +
        cache_write_1h_tokens * write1h;
      const more = plus(
        times(input, fraction(hundredths - few.prompt_tokens * 100, 100)),
        times(output, whole(counts.completion_tokens - few.completion_tokens)),
      );
      const due = base + rounded(more);
      const off = unit * BigInt(4 + Math.ceil((4 * (hundredths / 100 + counts.completion_tokens)) / step));
      return { least: due - off, most: due + off };
    };
    // When no rate is known, cached tokens must only cost less (reading B-44).
    return isBeta || price !== undefined ? dueAt(cached) : { least: dueAt(0).least, most: dueAt(99).most };
  };
}

async function learn(parts: CheckParts, model: string, key: string, requirement: string): Promise<Learnt> {
  const cost = (label: string, counts: typeof few): Promise<Priced> =>
    pricedCall(parts, { model, counts, label, key }, { requirement });
  const base = await cost('few tokens', few);
  const input = await cost('more input', { ...few, prompt_tokens: few.prompt_tokens + step });
  const output = await cost('more output', { ...few, completion_tokens: few.completion_tokens + step });
  return {
    base: base.charge,
    input: fraction(input.charge - base.charge, step),
    output: fraction(output.charge - base.charge, step),
    unit: visibleUnit([base, input, output]),
  };
}
