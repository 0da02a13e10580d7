import type { Kysely } from 'kysely';
import { z } from 'zod';
import { type priceBody, priceRow } from '../config/money.ts';
import { formatUsd } from '../money/pico.ts';
import type { PriceRow } from '../money/price-row.ts';
import type { Database } from '../store/database.ts';
import { readPrices } from '../store/read-prices.ts';
import { type Change, found } from './change.ts';
import type { Page } from './page.ts';

const usd = z.string().describe('Dollars a million tokens, as a decimal text.');
const percent = z.int().describe('Percentage of the input price.');

export const priceView = z.strictObject({
  model: z.string(),
  input: usd,
  output: usd,
  cached_percent: percent,
  write_5m_percent: percent,
  write_1h_percent: percent,
});
export type PriceView = z.output<typeof priceView>;

const A_MILLION = 1_000_000n;

/** The whole price list: it is as short as the catalogue. */
export async function listPrices(db: Kysely<Database>): Promise<Page<PriceView>> {
  return { data: (await readPrices(db)).map(viewOf), next: null };
}

/** Sets the price of a model, whether it had one or not. */
export async function putPrice(
  { trx, isModel }: Change,
  modelId: string,
  body: z.output<typeof priceBody>,
): Promise<PriceView> {
  found(isModel(modelId) ? modelId : undefined, 'model');
  const { model_id, ...price } = priceRow(modelId, body);
  await trx
    .insertInto('prices')
    .values({ model_id, ...price })
    .onConflict((conflict) => conflict.column('model_id').doUpdateSet(price))
    .execute();
  return viewOf({ model_id, ...price });
}

/** Takes the price of a model away; it is free then. One that the configuration lists does not come back at the next start. */
export async function deletePrice({ trx }: Change, modelId: string): Promise<void> {
  const row = await trx
    .deleteFrom('prices')
    .where('model_id', '=', modelId)
    .returning('seed_digest')
    .executeTakeFirst();
  const { seed_digest } = found(row, 'price');
  if (seed_digest === null) return;
  await trx.insertInto('deleted_seeds').values({ kind: 'price', id: modelId, seed_digest }).execute();
}

function viewOf({ model_id, input_pico, output_pico, ...percents }: PriceRow): PriceView {
  return {
    model: model_id,
    input: formatUsd(input_pico * A_MILLION),
    output: formatUsd(output_pico * A_MILLION),
    ...percents,
  };
}
