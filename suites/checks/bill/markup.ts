import { defineCheck } from '../../engine/check.ts';
import { markupOf } from '../../engine/declared-price.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { dollarText, fraction } from '../../oracle/money.ts';
import { must, Untestable } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { fromNothing, mustBeTimes, visibleUnit, within } from '../../steps/money/compare-charges.ts';
import { type Priced, pricedCall } from '../../steps/money/priced-call.ts';
import { type Good, goodsOf } from './goods.ts';

const requirement = 'BILL-003';
const wholeBp = 10_000;

const usages = [
  { prompt_tokens: 150_007, completion_tokens: 1_009 },
  { prompt_tokens: 2_003, completion_tokens: 60_013 },
] as const;

/** Charges of equal usage by the two apps. */
interface Pair {
  readonly one: Priced;
  readonly other: Priced;
}

/** Markups that an app is given in turn, in basis points of the list price. */
const markups = [0, 10_000, -2_500, 333] as const;

export const appsPayTheirMarkup = defineCheck({
  id: 'bill.apps.ratio',
  title:
    'two apps pay in the ratio of their markups, per model, and a new markup applies at once on every endpoint',
  requirements: [requirement],
  kind: 'metamorphic',
  needs: ['upstream.control', 'charges'],
  run: async (parts) => {
    const { target, keys, judge } = parts;
    const makes = target.profile.hooks.accounts !== undefined;
    if (keys.K5 !== undefined) await judgeApps(parts, keys.K5);
    else if (!makes) throw new Untestable('keys.K5');
    if (makes) await judgeMadeApp(parts);
    else judge.note('no app with its own markup was created: hooks.accounts is missing');
  },
});

/** Judges the apps of K1 and K5 on one model of each family and on each model with its own markup. */
async function judgeApps(parts: CheckParts, key: string): Promise<void> {
  const { target, http } = parts;
  const own = target.profile.pricing.model_markup_bp;
  const special = [own.K1, own.K5].flatMap((models) => Object.keys(models ?? {}));
  const models = new Set([...dialectModels(target), ...special.filter((id) => target.models.includes(id))]);
  let differ = false;
  for (const model of models) differ = (await judgePair(parts, model, key)) || differ;
  const expected = 'keys.K5 of an app whose markup differs from that of K1';
  const actual = 'both pay the same for equal usage';
  must(differ, { requirement, aspect: 'apps-differ', expected, actual, exchange: http.sent.at(-1) });
}

/** Returns whether the two apps pay different amounts for the model. */
async function judgePair(parts: CheckParts, model: string, key: string): Promise<boolean> {
  const { target } = parts;
  const pairs: Pair[] = [];
  for (const counts of usages) {
    const one = await pricedCall(parts, { model, counts, label: 'by K1' }, { requirement });
    const other = await pricedCall(parts, { model, counts, key, label: 'by K5' }, { requirement });
    pairs.push({ one, other });
    if (target.profile.pricing.markup_bp === undefined) continue;
    const [first, fifth] = [markupOf(target.profile, 'K1', model), markupOf(target.profile, 'K5', model)];
    const ratio = fraction(wholeBp + fifth, wholeBp + first);
    mustBeTimes(fromNothing(other), ratio, fromNothing(one), { requirement, aspect: 'declared-ratio' });
  }
  const [small, large] = pairs as [Pair, Pair];
  mustKeepRatio(small, large);
  return small.one.charge !== small.other.charge;
}

/** Judges that two pairs of charges have one ratio. Each charge may hide less than the visible unit. */
function mustKeepRatio(first: Pair, second: Pair): void {
  const all = [first.one, first.other, second.one, second.other];
  const off = first.one.charge * second.other.charge - first.other.charge * second.one.charge;
  const sum = all.reduce((total, { charge }) => total + charge, 0n);
  must(within(off, visibleUnit(all) * sum), {
    requirement,
    aspect: 'one-ratio',
    expected: `charges in the ratio of ${dollarText(first.one.charge)} to ${dollarText(first.other.charge)}`,
    actual: `${dollarText(second.one.charge)} to ${dollarText(second.other.charge)}`,
    exchange: second.other.exchange,
    twin: second.one.exchange,
  });
}

/**
 * Judges a new app, first at the list price and then under each markup, on every endpoint: a change counts wherever the key was
 * used before.
 */
async function judgeMadeApp(parts: CheckParts): Promise<void> {
  const account = await parts.accounts.create({ credits: '10000', apps: [{ markup_bp: 0 }] });
  const [app] = account.apps;
  if (app === undefined) throw new Error('the account has no app');
  const lists: { readonly good: Good; readonly list: Priced }[] = [];
  for (const good of await goodsOf(parts, account.key, usages[0], requirement))
    lists.push({ good, list: await good.buy('at the list price') });
  // Every other model has a markup of its own.
  const special = [...new Set(lists.map(({ good }) => good.model))].filter((_, place) => place % 2 === 1);
  for (const [round, markup] of markups.entries()) {
    // In the last round, only the app has a markup.
    const isLast = markup === markups.at(-1);
    const own = isLast ? markup : 2 * markup;
    const ofModels = Object.fromEntries(isLast ? [] : special.map((model) => [model, own]));
    await account.change({ apps: { [app]: { markup_bp: markup, model_markup_bp: ofModels } } });
    // Two rounds for each.
    for (const [place, { good, list }] of lists.entries()) {
      if (place % 2 !== round % 2) continue;
      const isSpecial = special.includes(good.model);
      const bp = isSpecial ? own : markup;
      const priced = await good.buy(`marked up by ${bp}`);
      const aspectOfModel = isLast ? 'model-markup-gone' : 'model-markup';
      judgeShare(priced, list, bp, isSpecial ? aspectOfModel : 'markup-in-effect');
    }
  }
}

function judgeShare(priced: Priced, list: Priced, markupBp: number, aspect: string): void {
  const ratio = fraction(wholeBp + markupBp, wholeBp);
  mustBeTimes(fromNothing(priced), ratio, fromNothing(list), { requirement, aspect });
}
