import type { Kysely, Selectable } from 'kysely';
import { z } from 'zod';
import { type priceBody, priceRow } from '../config/list-price.ts';
import { priceFault } from '../config/price-units.ts';
import { invalidParam } from '../errors/gateway-error.ts';
import { formatUsd } from '../money/pico.ts';
import { isUnitPrice, type PriceRow, type UnitPriceRow } from '../money/price-row.ts';
import type { PricesTable } from '../store/account-tables.ts';
import type { Database } from '../store/database.ts';
import { qualityDigits } from '../store/quality-digits.ts';
import { readPrices } from '../store/read-prices.ts';
import { type Change, found } from './change.ts';
import type { Page } from './page.ts';

const aMillion = z.string().describe('Dollars a million tokens, as a decimal text.');
const percent = z.int().describe('Percentage of the input price.');
const apiece = z.string().describe('Dollars, as a decimal text.');

const tokenPriceView = z.strictObject({
  model: z.string(),
  input: aMillion,
  output: aMillion,
  cached_percent: percent,
  write_5m_percent: percent,
  write_1h_percent: percent,
});
const unitPriceView = z.strictObject({
  model: z.string(),
  per_image: z
    .union([apiece, z.strictObject({ low: apiece, medium: apiece, high: apiece, auto: apiece })])
    .optional(),
  per_second: apiece.optional(),
  per_task: apiece.optional(),
});
export const priceView = z.union([tokenPriceView, unitPriceView]);
export type PriceView = z.output<typeof priceView>;

const oneMillion = 1_000_000n;

/** The whole price list: it is as short as the catalogue. */
export async function listPrices(db: Kysely<Database>): Promise<Page<PriceView>> {
  return { data: (await readPrices(db)).map(viewOf), next: null };
}

/** Sets the price of a model, or replaces it. */
export async function putPrice(
  { trx, isModel }: Change,
  modelId: string,
  body: z.output<typeof priceBody>,
): Promise<PriceView> {
  found(isModel(modelId) ? modelId : undefined, 'model');
  const wrong = priceFault(modelId, body);
  if (wrong !== null) throw invalidParam(wrong.field, `${wrong.field} ${wrong.rule}.`);
  const row = priceRow(modelId, body);
  const columns = { ...noColumns, ...columnsOf(row) };
  await trx
    .insertInto('prices')
    .values({ model_id: modelId, ...columns })
    .onConflict((conflict) => conflict.column('model_id').doUpdateSet(columns))
    .execute();
  return viewOf(row);
}

/** Clears the columns that a new row does not set: a price may change its kind. */
const noColumns = {
  input_pico: null,
  output_pico: null,
  cached_percent: null,
  write_5m_percent: null,
  write_1h_percent: null,
  unit: null,
  unit_pico: null,
  quality_pico: null,
} as const;

function columnsOf({ model_id: _, ...row }: PriceRow): Partial<Omit<Selectable<PricesTable>, 'model_id'>> {
  if (!('unit' in row)) return row;
  return { ...row, quality_pico: qualityDigits(row.quality_pico) };
}

/**
 * Deletes the price of a model, which is then free. A price from the configuration does not return at the next
 * start.
 */
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

function viewOf(row: PriceRow): PriceView {
  if (isUnitPrice(row)) return unitViewOf(row);
  const { model_id, input_pico, output_pico, ...percents } = row;
  return {
    model: model_id,
    input: formatUsd(input_pico * oneMillion),
    output: formatUsd(output_pico * oneMillion),
    ...percents,
  };
}

function unitViewOf({ model_id, unit, unit_pico, quality_pico }: UnitPriceRow): PriceView {
  const price = formatUsd(unit_pico);
  if (quality_pico === null) return { model: model_id, [`per_${unit}`]: price };
  const { low, medium, high } = quality_pico;
  return {
    model: model_id,
    per_image: { low: formatUsd(low), medium: formatUsd(medium), high: formatUsd(high), auto: price },
  };
}
