import { chatModels } from '../catalogue/chat-models.ts';
import { type ChannelDialect, isChatDialect, startsJobs } from '../catalogue/dialects.ts';
import { mediaModels } from '../catalogue/media-models.ts';
import type { ListPrice } from './list-price.ts';
import { priceFault } from './price-units.ts';
import { statedPrices } from './stated-prices.ts';

/** The parts of a configuration that name models. */
interface NamingModels {
  readonly chat_models: readonly { readonly id: string }[];
  readonly accounts: readonly {
    readonly models: 'all' | readonly string[];
    readonly apps: readonly { readonly model_markup_bp: Readonly<Record<string, unknown>> }[];
  }[];
  readonly channels: readonly {
    readonly dialect: ChannelDialect;
    readonly models: Readonly<Record<string, string>>;
  }[];
  readonly fallbacks: Readonly<Record<string, string>>;
  readonly prices: Readonly<Record<string, ListPrice>>;
}

/** Checks that configured models add to the catalogue and change none of its models. Accounts and channels may name both. */
export function checkModelNames(
  { chat_models: configured, accounts, channels, fallbacks, prices }: NamingModels,
  fault: (path: PropertyKey[], message: string) => void,
): void {
  const known = new Set([...chatModels.keys(), ...mediaModels.keys()]);
  for (const [m, { id: modelId }] of configured.entries()) {
    const at = ['chat_models', m, 'id'];
    if (chatModels.has(modelId) || mediaModels.has(modelId))
      fault(at, 'must not be a model of the catalogue');
    else if (known.has(modelId)) fault(at, 'must be different from every other model id');
    known.add(modelId);
  }
  const ruleFor = (name: string): string => unknownModel(name, [...known]);
  for (const [a, { models, apps }] of accounts.entries()) {
    for (const [p, { model_markup_bp: markups }] of apps.entries()) {
      const at = ['accounts', a, 'apps', p, 'model_markup_bp'];
      for (const name of Object.keys(markups)) if (!known.has(name)) fault([...at, name], ruleFor(name));
    }
    if (models === 'all') continue;
    for (const [m, name] of models.entries())
      if (!known.has(name)) fault(['accounts', a, 'models', m], ruleFor(name));
  }
  for (const [c, { dialect, models }] of channels.entries()) {
    for (const name of Object.keys(models)) {
      if (known.has(name) && canSpeakOf(name, dialect)) continue;
      const at = ['channels', c, 'models', name];
      if (!known.has(name)) fault(at, ruleFor(name));
      else fault(at, `must be a model that can be asked for in ${dialect}`);
    }
  }
  for (const [from, to] of Object.entries(fallbacks)) {
    const at = ['fallbacks', from];
    if (!known.has(from) || !known.has(to)) fault(at, ruleFor(known.has(from) ? to : from));
    else if (mediaModels.has(from) || mediaModels.has(to)) fault(at, 'must be chat models');
    else if (from === to) fault(at, 'must be another model');
    else if (isInCircle(fallbacks, from)) fault(at, 'must not lead back to the model itself');
  }
  for (const [name, price] of Object.entries(prices)) {
    const wrong = known.has(name) ? priceFault(name, price) : null;
    if (!known.has(name)) fault(['prices', name], ruleFor(name));
    else if (wrong !== null) fault(['prices', name, wrong.field], wrong.rule);
  }
  checkEachHasPrice({ channels, prices }, fault);
}

/** The rule for a name that no model has, with the three most similar names: a list of all is longer than a screen. */
function unknownModel(name: string, known: readonly string[]): string {
  const alike = (other: string): number => {
    const letters = [...name].findIndex((letter, at) => letter !== other[at]);
    return letters === -1 ? name.length : letters;
  };
  const nearest = known.toSorted((one, other) => alike(other) - alike(one)).slice(0, 3);
  return `must be a model of the catalogue or of chat_models, not ${name}; similar names are ${nearest.join(', ')}`;
}

/** Images have one dialect, jobs two; all others are for chat. */
function canSpeakOf(modelId: string, dialect: ChannelDialect): boolean {
  const model = mediaModels.get(modelId);
  if (model === undefined) return isChatDialect(dialect);
  return model.served === 'images' ? dialect === 'images' : startsJobs(dialect);
}

/**
 * If any price is configured, every served model needs one, so that none is free by mistake. The specification states some
 * prices.
 */
function checkEachHasPrice(
  {
    channels,
    prices,
  }: {
    readonly channels: readonly { readonly models: Readonly<Record<string, string>> }[];
    readonly prices: Readonly<Record<string, unknown>>;
  },
  fault: (path: PropertyKey[], message: string) => void,
): void {
  if (Object.keys(prices).length === 0) return;
  const served = new Set<string>();
  for (const { models } of channels) for (const name of Object.keys(models)) served.add(name);
  const missing = [...served].filter(
    (name) => !Object.hasOwn(prices, name) && !Object.hasOwn(statedPrices, name),
  );
  if (missing.length > 0)
    fault(['prices'], `must name every model that is served, also ${missing.join(', ')}`);
}

/**
 * Whether a model is among its own fallbacks. A model that only leads into a cycle is fine; the models in the cycle are
 * reported.
 */
function isInCircle(fallbacks: Readonly<Record<string, string>>, from: string): boolean {
  const passed = new Set<string>();
  for (let at = fallbacks[from]; at !== undefined && !passed.has(at); at = fallbacks[at]) {
    if (at === from) return true;
    passed.add(at);
  }
  return false;
}
