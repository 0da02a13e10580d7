import type { Pico } from './pico.ts';

/** A row of the price list: per token, or per unit of output. */
export type PriceRow = TokenPriceRow | UnitPriceRow;

/** Pico-USD per token, and percentages of the input price for cached tokens. */
export interface TokenPriceRow {
  readonly model_id: string;
  readonly input_pico: Pico;
  readonly output_pico: Pico;
  readonly cached_percent: number;
  readonly write_5m_percent: number;
  readonly write_1h_percent: number;
}

/** The units by which media models can be billed. */
export const priceUnits = ['image', 'second', 'task'] as const;
export type PriceUnit = (typeof priceUnits)[number];

/** Image qualities that may have their own price; `auto` has the unit price. */
export const pricedQualities = ['low', 'medium', 'high'] as const;
export type PricedQuality = (typeof pricedQualities)[number];
export type QualityPrices = Readonly<Record<PricedQuality, Pico>>;

/** Pico-USD per unit. */
export interface UnitPriceRow {
  readonly model_id: string;
  readonly unit: PriceUnit;
  readonly unit_pico: Pico;
  /** Prices of single qualities; null where all cost the same. */
  readonly quality_pico: QualityPrices | null;
}

export function isUnitPrice(row: PriceRow): row is UnitPriceRow {
  return 'unit' in row;
}
