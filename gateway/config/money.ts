import { z } from 'zod';
import { type Pico, parseUsd } from '../money/pico.ts';

/** Maximum of decimals in a price: a price per million tokens then gives whole pico-USD per token. */
const priceDecimals = 6;
export const priceRule = `must be dollars with at most ${priceDecimals} decimals`;
const oneMillion = 1_000_000n;
const maxPrice: Pico = 1_000_000n * 10n ** 12n;
const maxAmount: Pico = 10n ** 12n * 10n ** 12n;

/** A number with more digits may have been rounded when it was parsed; a string has not. */
const maxNumberDigits = 15;
const isExact = (value: number): boolean => String(value).replace(/\D/g, '').length <= maxNumberDigits;

/** An amount as written: in YAML it may be a number, in JSON it is always a string. */
export const yamlDecimal = z
  .union([z.string(), z.number().refine(isExact)], 'must be an amount in dollars such as "2.50"')
  .transform(String);
/** The pattern only describes the format in the OpenAPI document; the value is checked when it is read. */
export const jsonDecimal = (pattern: string) =>
  z.string('must be a text with an amount in dollars such as "2.50"').meta({ pattern });
export type Decimal = typeof yamlDecimal | ReturnType<typeof jsonDecimal>;

/** A dollar price for this many units, read as pico-USD per unit. */
const priceFor = (pieces: bigint) => (decimal: Decimal) =>
  z.pipe(
    decimal,
    z.transform((text: string, context): Pico => {
      const pico = parseUsd(text, priceDecimals);
      if (pico !== null && pico >= 0n && pico <= maxPrice) return pico / pieces;
      context.addIssue({ code: 'custom', message: priceRule });
      return z.NEVER;
    }),
  );
export const pricePerToken = priceFor(oneMillion);
export const pricePerUnit = priceFor(1n);

/** An amount of dollars, read as pico-USD. */
const amount = (decimal: Decimal, isLegal: (pico: Pico) => boolean, rule: string) =>
  z.pipe(
    decimal,
    z.transform((text: string, context): Pico => {
      const pico = parseUsd(text);
      if (pico !== null && pico <= maxAmount && pico >= -maxAmount && isLegal(pico)) return pico;
      context.addIssue({ code: 'custom', message: `must be dollars ${rule} with at most 12 decimals` });
      return z.NEVER;
    }),
  );

/** An amount of zero or more in the configuration. */
export const usdOrNone = amount(yamlDecimal, (pico) => pico >= 0n, 'from zero');
/** A positive amount in the configuration. */
export const usdAmount = amount(yamlDecimal, (pico) => pico > 0n, 'above zero');
/** A positive amount in a JSON document. */
export const usdText = amount(jsonDecimal('^\\d{1,15}(\\.\\d{1,12})?$'), (pico) => pico > 0n, 'above zero');
/** An amount of zero or more in a JSON document. */
export const usdOrNoneText = amount(
  jsonDecimal('^\\d{1,15}(\\.\\d{1,12})?$'),
  (pico) => pico >= 0n,
  'from zero',
);
/** An amount in a JSON document that is added, or deducted if negative. */
export const signedUsdText = amount(
  jsonDecimal('^-?\\d{1,15}(\\.\\d{1,12})?$'),
  (pico) => pico !== 0n,
  'other than zero',
);

/** A markup in basis points; a negative one is a discount, at most the whole price. */
export const markupBp = z
  .int('must be a whole number of basis points')
  .min(-10_000, 'must be at least -10000')
  .max(1_000_000, 'must be at most 1000000');
