import type { Kysely } from 'kysely';
import type { PriceRow } from '../money/price-row.ts';
import type { Database } from './database.ts';

/** The price list, in the order of the model ids. */
export async function readPrices(db: Kysely<Database>): Promise<PriceRow[]> {
  return db
    .selectFrom('prices')
    .select([
      'model_id',
      'input_pico',
      'output_pico',
      'cached_percent',
      'write_5m_percent',
      'write_1h_percent',
    ])
    .orderBy('model_id')
    .execute();
}
