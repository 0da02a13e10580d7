import { z } from 'zod';
import { type Pico, parseUsd } from '../money/pico.ts';
import type { PriceRow } from '../money/price-row.ts';

/** Prices a million tokens have at most so many decimals, so that a token costs whole pico-USD. */
const PRICE_DECIMALS = 6;
const A_MILLION = 1_000_000n;
const MOST_PRICE: Pico = 1_000_000n * 10n ** 12n;
const MOST_AMOUNT: Pico = 10n ** 12n * 10n ** 12n;

/** A number with more digits may have been rounded when it was read; in a text it has not. */
const MOST_NUMBER_DIGITS = 15;
const isExact = (value: number): boolean => String(value).replace(/\D/g, '').length <= MOST_NUMBER_DIGITS;

/** An amount as it is written: in YAML it may be a number, in JSON it is always a text. */
const yamlDecimal = z
  .union([z.string(), z.number().refine(isExact)], 'must be an amount in dollars such as "2.50"')
  .transform(String);
/** The pattern says in the document of the interface what is checked when the amount is read. */
const jsonDecimal = (pattern: string) =>
  z.string('must be a text with an amount in dollars such as "2.50"').meta({ pattern });
type Decimal = typeof yamlDecimal | ReturnType<typeof jsonDecimal>;

/** Dollars a million tokens, read as pico-USD a token. */
const pricePerToken = (decimal: Decimal) =>
  z.pipe(
    decimal,
    z.transform((text: string, context): Pico => {
      const pico = parseUsd(text, PRICE_DECIMALS);
      if (pico !== null && pico >= 0n && pico <= MOST_PRICE) return pico / A_MILLION;
      context.addIssue({
        code: 'custom',
        message: `must be dollars with at most ${PRICE_DECIMALS} decimals`,
      });
      return z.NEVER;
    }),
  );

/** An amount of dollars, read as pico-USD. */
const amount = (decimal: Decimal, isLegal: (pico: Pico) => boolean, rule: string) =>
  z.pipe(
    decimal,
    z.transform((text: string, context): Pico => {
      const pico = parseUsd(text);
      if (pico !== null && pico <= MOST_AMOUNT && pico >= -MOST_AMOUNT && isLegal(pico)) return pico;
      context.addIssue({ code: 'custom', message: `must be dollars ${rule} with at most 12 decimals` });
      return z.NEVER;
    }),
  );

/** An amount above zero as the configuration names it. */
export const usdAmount = amount(yamlDecimal, (pico) => pico > 0n, 'above zero');
/** The same in a JSON document. */
export const usdText = amount(jsonDecimal('^\\d{1,15}(\\.\\d{1,12})?$'), (pico) => pico > 0n, 'above zero');
/** An amount in a JSON document that is added or, below zero, taken away. */
export const signedUsdText = amount(
  jsonDecimal('^-?\\d{1,15}(\\.\\d{1,12})?$'),
  (pico) => pico !== 0n,
  'other than zero',
);

const percent = z
  .int('must be a whole percentage')
  .min(0, 'must be 0 or more')
  .max(1000, 'must be at most 1000');

/** List price of a model. What is left out of the percentages is the rate of its family: see `priceRow`. */
const priceIn = (decimal: Decimal) =>
  z.strictObject({
    input: pricePerToken(decimal),
    output: pricePerToken(decimal),
    cached_percent: percent.optional(),
    write_5m_percent: percent.optional(),
    write_1h_percent: percent.optional(),
  });

export const priceSchema = priceIn(yamlDecimal);
/** The same in a JSON document. */
export const priceBody = priceIn(jsonDecimal('^\\d{1,15}(\\.\\d{1,6})?$'));

/** A markup in basis points; a discount below zero, down to a free ride. */
export const markupBp = z
  .int('must be a whole number of basis points')
  .min(-10_000, 'must be at least -10000')
  .max(1_000_000, 'must be at most 1000000');

/** The rates of the specification for beta models ("Prompt-cache billing multipliers"); elsewhere those of reading B-44. */
const BETA_PERCENT = { cached: 10, write5m: 125, write1h: 200 } as const;
const OTHER_PERCENT = { cached: 25, write5m: 100, write1h: 100 } as const;

/** A whole row of the price list. */
export function priceRow(modelId: string, price: z.infer<typeof priceSchema>): PriceRow {
  const usual = modelId.startsWith('beta-') ? BETA_PERCENT : OTHER_PERCENT;
  return {
    model_id: modelId,
    input_pico: price.input,
    output_pico: price.output,
    cached_percent: price.cached_percent ?? usual.cached,
    write_5m_percent: price.write_5m_percent ?? usual.write5m,
    write_1h_percent: price.write_1h_percent ?? usual.write1h,
  };
}
