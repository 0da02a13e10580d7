import type { TokenPrice } from '../profile/money.ts';
import { mediaPrices } from './media.ts';

/**
 * The prices of the reference stack. They are invented, and differ for all models, so that no price is mistaken for another.
 */

/** Prices of the catalogue, in dollars per million tokens. */
const catalogue: Readonly<Record<string, TokenPrice>> = {
  'alpha-5-2': { input: '1.75', output: '14' },
  'alpha-5-pro': { input: '21.000003', output: '168.5', cached_percent: 50 },
  'alpha-5-codex': { input: '1.250001', output: '10.000007' },
  'alpha-codex': { input: '0.75', output: '3.1' },
  'beta-large-4-5': { input: '5', output: '25' },
  'beta-mid-4-5': { input: '3', output: '15.5' },
  'beta-small-4-5': { input: '0.812345', output: '5.25' },
  'gamma-3-pro': { input: '2', output: '12' },
  'gamma-3-flash': { input: '0.500003', output: '3.141593', cached_percent: 10 },
  'delta-3': { input: '0.283457', output: '0.456789', cached_percent: 7 },
  'plain-1': { input: '0.05', output: '0.4' },
  'beta-plain-1': { input: '0.8', output: '4.000001' },
  'gamma-plain-1': { input: '0.1', output: '0.7' },
};

/** Models that are called most, with each of their kind. */
const markedModels = [
  ...Object.keys(catalogue),
  ...[
    'duo-alpha',
    'trio-1',
    'lead-1',
    'reserve-1',
    'beta-lead',
    'beta-reserve',
    'gamma-lead',
    'gamma-reserve',
  ],
  ...Object.keys(mediaPrices),
];

/** Markups of every other model, in basis points; all differ, one is 0, and some are discounts. */
function modelMarkups(from: number): Record<string, number> {
  const own = markedModels.flatMap((model, place): [string, number][] =>
    place % 2 === from ? [[model, 131 * place - 1_048]] : [],
  );
  return Object.fromEntries(own);
}

/**
 * The pricing strategies of the apps of K1 and K5, in basis points. Each model has its own markup in one of the two, so that
 * whoever uses another model's or the app's markup is found with the one key or the other, however a call is made and ends.
 */
export const appMarkups = {
  K1: { markup_bp: 1_234, model_markup_bp: modelMarkups(0) },
  K5: { markup_bp: 4_275, model_markup_bp: modelMarkups(1) },
};

/** An invented price. Models that fall back to each other also differ in their share for cached tokens. */
function inventedPrice(model: string, index: number): TokenPrice {
  const price = { input: `${index}.5`, output: `${2 * index}.000${index + 100}` };
  return model.startsWith('beta-') ? price : { ...price, cached_percent: 11 + (index % 30) };
}

/** A price for each of these models. Models outside the catalogue get one by their index. */
export function stackPrices(models: readonly string[]): Record<string, TokenPrice> {
  const priced = models.map((model, index): [string, TokenPrice] => [
    model,
    catalogue[model] ?? inventedPrice(model, index),
  ]);
  return Object.fromEntries(priced);
}
