import type { Kysely, Selectable } from 'kysely';
import type { PriceRow } from '../money/price-row.ts';
import type { PricesTable } from './account-tables.ts';
import type { Database } from './database.ts';
import { qualityPrices } from './quality-digits.ts';

/** The price list, sorted by model id. */
export async function readPrices(db: Kysely<Database>): Promise<PriceRow[]> {
  const rows = await db.selectFrom('prices').selectAll().orderBy('model_id').execute();
  return rows.map(priceRow);
}

/** The row's price per token or per unit. The database guarantees that only one kind has values. */
function priceRow({ model_id, unit, unit_pico, quality_pico, ...row }: Selectable<PricesTable>): PriceRow {
  if (unit !== null) {
    return { model_id, unit, unit_pico: unit_pico ?? 0n, quality_pico: qualityPrices(quality_pico) };
  }
  return {
    model_id,
    input_pico: row.input_pico ?? 0n,
    output_pico: row.output_pico ?? 0n,
    cached_percent: row.cached_percent ?? 0,
    write_5m_percent: row.write_5m_percent ?? 0,
    write_1h_percent: row.write_1h_percent ?? 0,
  };
}
