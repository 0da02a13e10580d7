import { type Pico, picoIn } from '../oracle/money.ts';
import { chargeOf, type ListPrice, type UsageCounts } from '../oracle/price.ts';
import type { Profile } from '../targets/profile.ts';
import { Untestable } from './violation.ts';

/** Keys whose app's markup a profile can declare. */
export type MarkedUpKey = 'K1' | 'K5';

/** The list price of a model. @throws Untestable when the profile has none. */
export function priceOf({ pricing }: Pick<Profile, 'pricing'>, model: string): ListPrice {
  const price = pricing.models?.[model];
  if (price === undefined)
    throw new Untestable(pricing.models === undefined ? 'pricing.models' : `pricing.models.${model}`);
  return price;
}

/** The markup on a model in basis points. @throws Untestable when the profile does not tell. */
export function markupOf({ pricing }: Pick<Profile, 'pricing'>, key: MarkedUpKey, model: string): number {
  const markup = pricing.model_markup_bp[key]?.[model] ?? pricing.markup_bp?.[key];
  if (markup === undefined) throw new Untestable('pricing.markup');
  return markup;
}

/** What these counts cost on the model that served them, by what the profile declares. */
export function declaredCharge(
  profile: Pick<Profile, 'pricing'>,
  model: string,
  counts: UsageCounts,
  markup: MarkedUpKey | { readonly bp: number } = 'K1',
): Pico {
  const bp = typeof markup === 'string' ? markupOf(profile, markup, model) : markup.bp;
  return chargeOf(model, counts, priceOf(profile, model), bp, picoIn(profile.pricing.unit) ?? 1n);
}
