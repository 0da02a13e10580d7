import type { PriceRow } from '../money/price-row.ts';
import { FREE, type Price } from './price.ts';

/** The prices that hold now, in memory. */
export interface PriceList {
  /** The price of a model; free when it has none. */
  of(modelId: string): Price;
  replace(rows: readonly PriceRow[]): void;
}

export function createPriceList(rows: readonly PriceRow[]): PriceList {
  let prices = byModel(rows);
  return {
    of: (modelId) => prices.get(modelId) ?? FREE,
    replace: (next) => {
      prices = byModel(next);
    },
  };
}

function byModel(rows: readonly PriceRow[]): ReadonlyMap<string, Price> {
  return new Map(
    rows.map((row) => [
      row.model_id,
      {
        input: row.input_pico,
        output: row.output_pico,
        cachedPercent: BigInt(row.cached_percent),
        write5mPercent: BigInt(row.write_5m_percent),
        write1hPercent: BigInt(row.write_1h_percent),
      },
    ]),
  );
}
