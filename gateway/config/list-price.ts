import { z } from 'zod';
import type { Pico } from '../money/pico.ts';
import { type PriceRow, type PriceUnit, priceUnits, type QualityPrices } from '../money/price-row.ts';
import { type Decimal, jsonDecimal, pricePerToken, pricePerUnit, priceRule, yamlDecimal } from './money.ts';

const percent = z
  .int('must be a whole percentage')
  .min(0, 'must be 0 or more')
  .max(1000, 'must be at most 1000');

/** A price for every image quality. */
const byQuality = (decimal: Decimal) =>
  z.strictObject({
    low: pricePerUnit(decimal),
    medium: pricePerUnit(decimal),
    high: pricePerUnit(decimal),
    auto: pricePerUnit(decimal),
  });

/** A price per token. Omitted percentages are those of the model's family: see `priceRow`. */
interface TokenPrice {
  readonly input: Pico;
  readonly output: Pico;
  readonly cached_percent?: number | undefined;
  readonly write_5m_percent?: number | undefined;
  readonly write_1h_percent?: number | undefined;
}

/** A price per unit of output. */
interface UnitPrice {
  readonly unit: PriceUnit;
  readonly pico: Pico;
  readonly qualities: QualityPrices | null;
}

/** List price of a model as written: per token, or per exactly one other unit. */
export type ListPrice = TokenPrice | UnitPrice;

const priceIn = (decimal: Decimal) => {
  const perUnit = pricePerUnit(decimal).optional();
  const written = z.strictObject({
    input: pricePerToken(decimal).optional(),
    output: pricePerToken(decimal).optional(),
    cached_percent: percent.optional(),
    write_5m_percent: percent.optional(),
    write_1h_percent: percent.optional(),
    per_image: z
      .union(
        [pricePerUnit(decimal), byQuality(decimal)],
        `${priceRule}, or that for each of low, medium, high and auto`,
      )
      .optional(),
    per_second: perUnit,
    per_task: perUnit,
  });
  return z
    .pipe(written, z.transform(listPrice))
    .describe(
      'Either input and output, dollars a million tokens, or one of per_image, per_second and per_task.',
    );
};

/** Reads the price from its fields, and rejects inconsistent ones. */
function listPrice(
  { input, output, per_image: image, per_second: second, per_task: task, ...percents }: Written,
  context: { addIssue(issue: { code: 'custom'; path: PropertyKey[]; message: string }): void },
): ListPrice {
  const refuse = (field: string, message: string): never => {
    context.addIssue({ code: 'custom', path: [field], message });
    return z.NEVER;
  };
  const given = { image, second, task };
  const [unit, other] = priceUnits.filter((name) => given[name] !== undefined);
  if (unit === undefined) {
    if (input === undefined) return refuse('input', 'must be there');
    if (output === undefined) return refuse('output', 'must be there');
    return { input, output, ...percents };
  }
  const tokens = Object.entries({ input, output, ...percents }).find(([, value]) => value !== undefined);
  if (other !== undefined || tokens !== undefined) return refuse(`per_${unit}`, 'must be the only price');
  const price = given[unit];
  if (typeof price === 'object') {
    const { auto, ...qualities } = price;
    return { unit, pico: auto, qualities };
  }
  return { unit, pico: price ?? 0n, qualities: null };
}

interface Written extends Partial<TokenPrice> {
  readonly per_image?: Pico | (QualityPrices & { readonly auto: Pico }) | undefined;
  readonly per_second?: Pico | undefined;
  readonly per_task?: Pico | undefined;
}

export const priceSchema = priceIn(yamlDecimal);
/** The price schema for JSON documents. */
export const priceBody = priceIn(jsonDecimal('^\\d{1,15}(\\.\\d{1,6})?$'));

/** The specification's rates for beta models ("Prompt-cache billing multipliers"); reading B-44 sets all others. */
const betaPercent = { cached: 10, write5m: 125, write1h: 200 } as const;
const otherPercent = { cached: 25, write5m: 100, write1h: 100 } as const;

/** A complete row of the price list. */
export function priceRow(modelId: string, price: ListPrice): PriceRow {
  if ('unit' in price) {
    return { model_id: modelId, unit: price.unit, unit_pico: price.pico, quality_pico: price.qualities };
  }
  const usual = modelId.startsWith('beta-') ? betaPercent : otherPercent;
  return {
    model_id: modelId,
    input_pico: price.input,
    output_pico: price.output,
    cached_percent: price.cached_percent ?? usual.cached,
    write_5m_percent: price.write_5m_percent ?? usual.write5m,
    write_1h_percent: price.write_1h_percent ?? usual.write1h,
  };
}
