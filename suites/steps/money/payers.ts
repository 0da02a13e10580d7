import { type Markup, markupOf } from '../../engine/declared-price.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { AppSpec } from '../../engine/test-accounts.ts';

/** A key, and its app's markup. */
export interface MarkedUp {
  readonly key: string;
  readonly markupOf: (model: string) => Markup;
  /** Whether the markup is one half, which turns an odd price into a half unit. */
  readonly isHalf: boolean;
}

const half = 5_000;
/** Markups with rounding traps: none, the smallest, odd ones, discounts, nearly free. */
const markups = [0, 1, 333, half, 40_007, -2_500, -9_999] as const;
const minMarkup = -10_000;

/** The number of calls that these keys may have in flight together. */
const cap = 40;

/**
 * Keys of a new account, whose apps have many different markups. Without the accounts hook, K1 and K5 with their declared
 * markups.
 */
export async function payersOf(parts: CheckParts): Promise<readonly MarkedUp[]> {
  const { target, accounts } = parts;
  if (target.profile.hooks.accounts === undefined) return declared(parts);
  const priced = [...target.models, ...target.mediaModels];
  const apps = markups.map((markup_bp, place): Required<AppSpec> => {
    const own = priced.filter((_, index) => markup_bp !== half && index % markups.length === place);
    const other = Math.max(minMarkup, 777 - 3 * markup_bp);
    return { markup_bp, model_markup_bp: Object.fromEntries(own.map((model) => [model, other])) };
  });
  const account = await accounts.create({
    credits: '100000000',
    users: [{ cap }],
    apps,
    keys: apps.map((_, app) => ({ app })),
  });
  return apps.map(({ markup_bp, model_markup_bp }, place) => ({
    key: account.keyAt(place),
    markupOf: (model) => ({ bp: model_markup_bp[model] ?? markup_bp }),
    isHalf: markup_bp === half,
  }));
}

/** @throws Untestable when the profile does not declare the markup of K1. */
function declared({ keys, target }: CheckParts): MarkedUp[] {
  const { K1: k1, K5: k5 } = keys;
  for (const model of target.models) markupOf(target.profile, 'K1', model);
  const main: MarkedUp = { key: k1, markupOf: () => 'K1', isHalf: false };
  return k5 === undefined ? [main] : [main, { key: k5, markupOf: () => 'K5', isHalf: false }];
}
