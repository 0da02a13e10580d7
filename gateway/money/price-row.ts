import type { Pico } from './pico.ts';

/** A row of the price list: for models that are paid by the token, or by what they make. */
export type PriceRow = TokenPriceRow | UnitPriceRow;

/** Pico-USD per token, and percentages of the input price for what a cache has to do with. */
export interface TokenPriceRow {
  readonly model_id: string;
  readonly input_pico: Pico;
  readonly output_pico: Pico;
  readonly cached_percent: number;
  readonly write_5m_percent: number;
  readonly write_1h_percent: number;
}

/** What a model can be paid by that makes media. */
export const priceUnits = ['image', 'second', 'task'] as const;
export type PriceUnit = (typeof priceUnits)[number];

/** Qualities of images that may have a price of their own; `auto` has that of the unit. */
export const pricedQualities = ['low', 'medium', 'high'] as const;
export type PricedQuality = (typeof pricedQualities)[number];
export type QualityPrices = Readonly<Record<PricedQuality, Pico>>;

/** Pico-USD per unit. */
export interface UnitPriceRow {
  readonly model_id: string;
  readonly unit: PriceUnit;
  readonly unit_pico: Pico;
  /** What single qualities cost instead; null where all cost the same. */
  readonly quality_pico: QualityPrices | null;
}

export function isUnitPrice(row: PriceRow): row is UnitPriceRow {
  return 'unit' in row;
}
