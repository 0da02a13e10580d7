import { UsageError } from '../process/exit-codes.ts';
import { readBudget, readPriceList } from '../profile/load-profile.ts';
import type { Budget, Pricing } from '../profile/money.ts';
import type { Profile } from '../profile/profile.ts';
import type { RunOptions } from './run-options.ts';

type BudgetOptions = Pick<RunOptions, 'budget' | 'minutes' | 'prices'>;

/** Models that a run may call, and be charged for. */
export interface CallableModels {
  readonly models: readonly string[];
  readonly mediaModels: readonly string[];
}

/**
 * The bounds of a run, and the prices to compute its cost. Options override the profile.
 * @throws UsageError when an option is invalid, or dollars are bounded and a model has no price
 */
export function budgetOf(
  options: BudgetOptions,
  profile: Profile,
  called: CallableModels,
): Budget & { readonly pricing: Pricing } {
  const given = givenBounds(options);
  const minutes = options.minutes === undefined ? {} : { minutes: options.minutes };
  const budget = { ...profile.budget, ...given, ...minutes, pricing: pricingOf(options, profile) };
  if (budget.usd !== undefined) mustBePriced(budget.pricing, profile, called);
  return budget;
}

/**
 * The bounds in the option.
 * @throws UsageError when it is invalid
 */
export function givenBounds({ budget }: Pick<BudgetOptions, 'budget'>): Budget {
  return budget === undefined ? {} : readBudget(wordsIn(budget));
}

/** The profile's pricing, with the list prices of `--prices` before its own. */
export function pricingOf({ prices }: BudgetOptions, profile: Profile): Pricing {
  const { pricing } = profile;
  return prices === undefined
    ? pricing
    : { ...pricing, models: { ...pricing.models, ...inRoles(readPriceList(prices), profile) } };
}

type Named = Pick<Profile, 'dialect' | 'chat'>;

/** A price list with the deployment's own models under the roles that they play, as in a profile. */
function inRoles<T>(list: Readonly<Record<string, T>>, { dialect, chat }: Named): Record<string, T> {
  const extras = new Set(chat.extra_models.map(({ id }) => id));
  const roleOf = (id: string): string => (extras.has(id) ? id : (dialect?.models[id]?.like ?? id));
  return Object.fromEntries(Object.entries(list).map(([id, price]) => [roleOf(id), price]));
}

/** The deployment's own name of a model. */
function ownName(role: string, { dialect }: Named): string {
  return Object.entries(dialect?.models ?? {}).find(([, { like }]) => like === role)?.[0] ?? role;
}

function wordsIn(text: string): Record<string, unknown> {
  const words = text.split(',').map((word) => {
    const [, name, value = ''] = /^\s*(\w+)=(\d+(?:\.\d+)?)\s*$/.exec(word) ?? [];
    if (name === undefined)
      throw new UsageError(`--budget ${word.trim()}: give bounds as usd=5,exchanges=2000`);
    return [name, name === 'usd' ? value : Number(value)];
  });
  return Object.fromEntries(words);
}

/** Requires a price for each model, because a model without a price would never reach the bound. */
function mustBePriced(
  { models: prices = {} }: Pricing,
  profile: Profile,
  { models, mediaModels }: CallableModels,
): void {
  const { chat, upstream } = profile;
  const routed = [...(upstream?.routes ?? []), ...(upstream?.media_routes ?? [])].map(({ model }) => model);
  const all = [...models, ...mediaModels, ...chat.extra_models.map(({ id }) => id), ...routed];
  const open = [...new Set(all)].filter((id) => prices[id] === undefined);
  if (open.length > 0)
    throw new UsageError(
      `a budget in dollars needs the price of each enabled model, in pricing.models or a file of --prices; missing: ${open.map((id) => ownName(id, profile)).join(', ')}`,
    );
}
