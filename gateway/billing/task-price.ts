import type { MediaModel } from '../catalogue/media-models.ts';
import type { Pico } from '../money/pico.ts';
import { type PriceUnit, pricedQualities } from '../money/price-row.ts';
import { markupOf, type PricingStrategy } from '../money/strategy.ts';
import type { PriceList } from './price-list.ts';
import { chargeForUnits } from './unit-price.ts';

/** The price per unit and the markup of a request. A task keeps those of its submission. */
export interface TaskPrice {
  readonly unit: PriceUnit;
  readonly unitPico: Pico;
  readonly markupBp: number;
  /** The units that the hold of a submitted task covers. */
  readonly heldUnits?: number;
}

/** The current price for a caller; zero if the model has no price. */
export function taskPriceOf(
  prices: Pick<PriceList, 'unitOf'>,
  pricing: PricingStrategy,
  model: MediaModel,
  fields: Readonly<Record<string, unknown>>,
): TaskPrice {
  const markupBp = markupOf(pricing, model.id);
  const price = prices.unitOf(model.id);
  if (price === null) return { unit: model.served === 'images' ? 'image' : 'task', unitPico: 0n, markupBp };
  const quality = pricedQualities.find((name) => name === fields.quality);
  const special = quality === undefined ? undefined : price.qualities?.[quality];
  return { unit: price.unit, unitPico: special ?? price.pico, markupBp };
}

/** Images in one grid. */
const grid = 4;
/** Upper bound of seconds for anything billed by the second. A continued song is longer than its parent. */
const maxSeconds = 600;
const goesOn = 'song-v5';

/** The maximum cost of a request, which the credits of its account have to cover (reading B-45). */
export function maxChargeOf(
  price: TaskPrice,
  model: MediaModel,
  fields: Readonly<Record<string, unknown>>,
): Pico {
  return chargeForUnits(maxUnitsOf(price, model, fields), price.unitPico, price.markupBp);
}

/** The units that a request may cost at most. */
export function maxUnitsOf(
  { unit }: Pick<TaskPrice, 'unit'>,
  model: MediaModel,
  { n, duration }: Readonly<Record<string, unknown>>,
): number {
  const units = {
    image: model.served === 'images' ? (numberOf(n) ?? 1) : grid,
    second: model.id === goesOn ? maxSeconds : (numberOf(duration) ?? maxSeconds),
    task: 1,
  };
  return units[unit];
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;
}
