import { type Check, defineCheck } from '../../engine/check.ts';
import { basisPointsOf, mediaPricing, unitPriceOf } from '../../engine/declared-price.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { mediaModel } from '../../oracle/media/models.ts';
import { markedUp, statedPrices } from '../../oracle/media/price.ts';
import { dollarText, type Fraction, picoIn } from '../../oracle/money.ts';
import { must, Untestable } from '../../rules/violation.ts';
import { fillable } from '../../steps/fields/media-inputs.ts';
import { type MarkedUp, payersOf } from '../../steps/money/payers.ts';
import { dueFor, mustCost, type PaidMedia, paidMedia } from './made.ts';

/** Models that take a number of images. */
const takesN = ['alpha-image-2', 'gamma-3-pro-image'];
const qualities = ['low', 'medium', 'high', 'auto'] as const;

interface StatedCell {
  readonly model: string;
  readonly min: string;
  readonly max: string;
  readonly row: string;
  readonly payer: MarkedUp;
  readonly quality: (typeof qualities)[number] | undefined;
}

/** The deployment sets its own prices (BILL-015 forbids nothing), but it has to charge them. */
const requirement = 'BILL-001';

/** Further members of a request that change its price. */
const variety: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = {
  'alpha-image-2': [{ quality: 'low', n: 2 }, { quality: 'high' }],
  'gamma-3-pro-image': [{ n: 4 }],
  vidB2: [{ duration: 10 }],
  'vidD-02': [{ duration: 10 }],
  'voice-music': [{ duration: 17 }],
  'song-v5': [{ duration: 31 }],
};

/** One check for each price that the specification states: every image costs this price. */
export const statedPriceChecks: readonly Check[] = Object.entries(statedPrices).map(
  ([model, { min, max, row }]) =>
    defineCheck({
      id: `bill.image.${model}`,
      title: `an image of ${model} costs ${min === max ? min : `${min} to ${max}`} dollars, and so does each of several`,
      requirements: [row],
      kind: 'metamorphic',
      needs: ['charges', 'images'],
      run: async (parts) => {
        if (!parts.target.mediaModels.includes(model)) throw new Untestable(`models.enabled with ${model}`);
        for (const payer of (await payersOf(parts)).slice(0, parts.cases.full ? Infinity : 2))
          for (const quality of model === 'alpha-image-2' ? qualities : [undefined])
            await judgeStated(parts, { model, min, max, row, payer, quality });
      },
    }),
);

export const mediaCostTheirListPrice = defineCheck({
  id: 'bill.media.listed',
  title: 'images, video and audio cost exactly the declared list price plus markup',
  requirements: ['BILL-015', requirement],
  kind: 'metamorphic',
  needs: ['charges', 'pricing.models'],
  run: async (parts) => {
    const { target, meter } = parts;
    const priced = target.mediaModels.filter((id) => unitPriceOf(target.profile, id) !== undefined);
    if (priced.length === 0) throw new Untestable('pricing.models with a model that makes media');
    const models = fillable(parts, priced);
    const payers = await payersOf(parts);
    const orders = models.flatMap((model) =>
      [{}, ...(variety[model] ?? [])].map((more) => ({ model, more })),
    );
    const judgeOne = async ({ model, more }: (typeof orders)[number], place: number): Promise<void> => {
      const payer = payers[place % payers.length];
      if (payer !== undefined) await judgeListed(parts, model, more, payer);
    };
    // Where the balance shows the charges, only one call may be in flight.
    if (meter.byRequest) await Promise.all(orders.map(judgeOne));
    else for (const [place, order] of orders.entries()) await judgeOne(order, place);
  },
});

async function judgeStated(
  parts: CheckParts,
  { model, min, max, row, payer, quality }: StatedCell,
): Promise<void> {
  const bp = basisPointsOf(parts.target.profile, payer.markupOf(model), model);
  const more = quality === undefined ? {} : { quality };
  const { key } = payer;
  const one = await paidMedia(parts, { model, more, key, label: 'one image' }, row);
  const unit = picoIn(parts.target.profile.pricing.unit) ?? 1n;
  const [from, to] = [markedUp(min, bp), markedUp(max, bp)];
  must(isAtLeast(one.charge + unit, from) && isAtMost(one.charge - unit, to), {
    requirement: row,
    aspect: 'stated-price',
    expected: `${min === max ? min : `${min} to ${max}`} dollars under a markup of ${bp} basis points`,
    actual: dollarText(one.charge),
    exchange: one.exchange,
  });
  if (!takesN.includes(model)) return;
  const three = await paidMedia(parts, { model, more: { ...more, n: 3 }, key, label: 'three images' }, row);
  const off = three.charge - 3n * one.charge;
  // Each of the two charges may be rounded to the visible unit.
  must(off <= 4n * (unit - 1n) && off >= -4n * (unit - 1n), {
    requirement: row,
    aspect: 'each-picture',
    expected: `three times ${dollarText(one.charge)} for three images`,
    actual: dollarText(three.charge),
    exchange: three.exchange,
    twin: one.exchange,
  });
}

function isAtLeast(pico: bigint, { top, bottom }: Fraction): boolean {
  return pico * bottom >= top;
}

function isAtMost(pico: bigint, { top, bottom }: Fraction): boolean {
  return pico * bottom <= top;
}

async function judgeListed(
  parts: CheckParts,
  model: string,
  more: Readonly<Record<string, unknown>>,
  payer: MarkedUp,
): Promise<void> {
  const { target } = parts;
  const chargeFor = mediaPricing(target.profile, model, payer.markupOf(model));
  if (chargeFor === null) return;
  const paid = await paidMedia(
    parts,
    { model, more, key: payer.key, label: JSON.stringify(more) },
    requirement,
  );
  const rule = { requirement, aspect: 'media-as-listed' };
  mustCost(paid, dueFor(paid, chargeFor), rule, (pico) => textOf(pico, paid, model));
}

function textOf(pico: bigint, { made }: PaidMedia, model: string): string {
  const what = mediaModel(model)?.medium === 'image' ? `${made.images} images` : `${made.seconds} s`;
  return `${dollarText(pico)} for ${what} of ${model}`;
}
