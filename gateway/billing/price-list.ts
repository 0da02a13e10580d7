import { isUnitPrice, type PriceRow } from '../money/price-row.ts';
import { free, type Price } from './price.ts';
import type { UnitPrice } from './unit-price.ts';

/** The current prices, in memory. */
export interface PriceList {
  /** The price of a model per token; free if it has none. */
  of(modelId: string): Price;
  /** The price of a model per unit; null if it has none. */
  unitOf(modelId: string): UnitPrice | null;
  replace(rows: readonly PriceRow[]): void;
}

export function createPriceList(rows: readonly PriceRow[]): PriceList {
  let tokens: ReadonlyMap<string, Price> = new Map();
  let units: ReadonlyMap<string, UnitPrice> = new Map();
  const replace = (next: readonly PriceRow[]): void => {
    tokens = tokenPrices(next);
    units = unitPrices(next);
  };
  replace(rows);
  return {
    of: (modelId) => tokens.get(modelId) ?? free,
    unitOf: (modelId) => units.get(modelId) ?? null,
    replace,
  };
}

function tokenPrices(rows: readonly PriceRow[]): ReadonlyMap<string, Price> {
  const prices = new Map<string, Price>();
  for (const row of rows) {
    if (isUnitPrice(row)) continue;
    prices.set(row.model_id, {
      input: row.input_pico,
      output: row.output_pico,
      cachedPercent: BigInt(row.cached_percent),
      write5mPercent: BigInt(row.write_5m_percent),
      write1hPercent: BigInt(row.write_1h_percent),
    });
  }
  return prices;
}

function unitPrices(rows: readonly PriceRow[]): ReadonlyMap<string, UnitPrice> {
  return new Map(
    rows
      .filter(isUnitPrice)
      .map((row) => [row.model_id, { unit: row.unit, pico: row.unit_pico, qualities: row.quality_pico }]),
  );
}
