import type { Generation } from '../engine/model-calls.ts';
import { unitCharge } from '../oracle/media/price.ts';
import type { Pico } from '../oracle/money.ts';
import { chargeOf } from '../oracle/price.ts';
import type { Pricing } from '../profile/money.ts';

/** What a generation, or the sum of several of one model, costs by list prices; null for a model without a price. */
export function priceOfGeneration(pricing: Pricing, generation: Generation): Pico | null {
  const { model } = generation;
  const { models = {} } = pricing;
  const price = Object.hasOwn(models, model) ? models[model] : undefined;
  if (price === undefined) return null;
  // Without a declared markup the list price is all that is known.
  const declared = pricing.model_markup_bp.K1?.[model] ?? pricing.markup_bp?.K1 ?? 0;
  if ('input' in price)
    return 'tokens' in generation ? chargeOf(model, generation.tokens, price, declared) : 0n;
  return 'made' in generation ? unitCharge(generation.made, price, declared) : 0n;
}
