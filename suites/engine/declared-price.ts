import { type Made, unitCharge } from '../oracle/media/price.ts';
import { type Pico, picoIn } from '../oracle/money.ts';
import { chargeOf, type ListPrice, type UsageCounts } from '../oracle/price.ts';
import type { TokenPrice, UnitPrice } from '../profile/money.ts';
import type { Profile } from '../profile/profile.ts';
import { Untestable } from '../rules/violation.ts';

/** Keys for whose app a profile can declare a markup. */
export type MarkedUpKey = 'K1' | 'K5';

/** A key whose app has a declared markup, or a markup that is known. */
export type Markup =
  | MarkedUpKey
  | { readonly bp: number; readonly ofModels?: Readonly<Record<string, number>> | undefined };

type Priced = Pick<Profile, 'pricing'>;

/** The list price of a model charged by token; undefined when the profile declares none. */
export function tokenPriceOf({ pricing }: Priced, model: string): TokenPrice | undefined {
  const price = pricing.models?.[model];
  return price !== undefined && 'input' in price ? price : undefined;
}

/** The list price of a model charged by image, second or task; undefined when the profile declares none. */
export function unitPriceOf({ pricing }: Priced, model: string): UnitPrice | undefined {
  const price = pricing.models?.[model];
  return price === undefined || 'input' in price ? undefined : price;
}

/**
 * The list price of a model charged by token.
 * @throws Untestable when the profile declares none.
 */
export function priceOf(profile: Priced, model: string): ListPrice {
  const price = tokenPriceOf(profile, model);
  if (price === undefined)
    throw new Untestable(profile.pricing.models === undefined ? 'pricing.models' : `pricing.models.${model}`);
  return price;
}

/**
 * The markup on a model in basis points.
 * @throws Untestable when the profile does not declare it.
 */
export function markupOf({ pricing }: Pick<Profile, 'pricing'>, key: MarkedUpKey, model: string): number {
  const markup = pricing.model_markup_bp[key]?.[model] ?? pricing.markup_bp?.[key];
  if (markup === undefined) throw new Untestable('pricing.markup');
  return markup;
}

/**
 * The charge for media of a model, by the declared prices; null when the profile declares no list price.
 * @throws Untestable when it declares no markup
 */
export function mediaPricing(
  profile: Pick<Profile, 'pricing'>,
  model: string,
  markup: Markup = 'K1',
): ((made: Made) => Pico) | null {
  const price = unitPriceOf(profile, model);
  if (price === undefined) return null;
  const bp = basisPointsOf(profile, markup, model);
  return (made) => unitCharge(made, price, bp, unitOf(profile));
}

/** The charge for these token counts on the model that served them, by the declared prices. */
export function declaredCharge(
  profile: Pick<Profile, 'pricing'>,
  model: string,
  counts: UsageCounts,
  markup: Markup = 'K1',
): Pico {
  const bp = basisPointsOf(profile, markup, model);
  return chargeOf(model, counts, priceOf(profile, model), bp, unitOf(profile));
}

/**
 * A markup in basis points.
 * @throws Untestable when the profile does not declare that of a key
 */
export function basisPointsOf(profile: Priced, markup: Markup, model: string): number {
  return typeof markup === 'string'
    ? markupOf(profile, markup, model)
    : (markup.ofModels?.[model] ?? markup.bp);
}

/** The unit that charges are rounded to. */
function unitOf({ pricing }: Priced): Pico {
  return picoIn(pricing.unit) ?? 1n;
}
