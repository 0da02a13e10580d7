import {
  dollarsIn,
  type Fraction,
  fraction,
  inPico,
  type Pico,
  plus,
  rounded,
  times,
  whole,
} from './money.ts';

/** The upstream's counts, as a usage record contains them. */
export interface UsageCounts {
  /** The whole prompt, including tokens read from and written to a cache. */
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cached_tokens: number;
  readonly cache_write_5m_tokens: number;
  readonly cache_write_1h_tokens: number;
}

/** Price of a model in a profile: dollars per million tokens, and cache rates in percent of the input price. */
export interface ListPrice {
  readonly input: string;
  readonly output: string;
  readonly cached_percent?: number | undefined;
  readonly write_5m_percent?: number | undefined;
  readonly write_1h_percent?: number | undefined;
}

/** Cache rates, in percent of the input price. */
export interface CacheRates {
  readonly cached: number;
  readonly write5m: number;
  readonly write1h: number;
}

const betaRates: CacheRates = { cached: 10, write5m: 125, write1h: 200 };
/** The specification gives no rates for other models (reading B-44). */
const otherRates: CacheRates = { cached: 25, write5m: 100, write1h: 100 };

const wholePercent = 100;
const wholeBasisPoints = 10_000;
const tokensPriced = 1_000_000;

export function cacheRates(model: string, price: Partial<ListPrice> = {}): CacheRates {
  const usual = model.startsWith('beta-') ? betaRates : otherRates;
  return {
    cached: price.cached_percent ?? usual.cached,
    write5m: price.write_5m_percent ?? usual.write5m,
    write1h: price.write_1h_percent ?? usual.write1h,
  };
}

/**
 * The charge of a call. Each token has its own rate of the list price; the total is marked up and rounded once at
 * the end. The counts must be consistent: tokens read and written do not exceed the prompt.
 */
export function chargeOf(
  model: string,
  counts: UsageCounts,
  price: ListPrice,
  markupBp: number,
  unit: Pico = 1n,
): Pico {
  return unit * rounded(times(exactCharge(model, counts, price, markupBp), fraction(1, unit)));
}

/** The same charge before rounding, in pico-dollars. */
export function exactCharge(
  model: string,
  counts: UsageCounts,
  price: ListPrice,
  markupBp: number,
): Fraction {
  const rates = cacheRates(model, price);
  const special = [
    { tokens: counts.cached_tokens, percent: rates.cached },
    { tokens: counts.cache_write_5m_tokens, percent: rates.write5m },
    { tokens: counts.cache_write_1h_tokens, percent: rates.write1h },
  ];
  const ordinary = special.reduce((left, { tokens }) => left - BigInt(tokens), BigInt(counts.prompt_tokens));
  if (ordinary < 0n) throw new RangeError('more tokens were read and written than the prompt has');
  const input = times(
    plus(
      whole(ordinary),
      ...special.map(({ tokens, percent }) => fraction(BigInt(tokens) * BigInt(percent), wholePercent)),
    ),
    perToken(price.input),
  );
  const output = times(whole(counts.completion_tokens), perToken(price.output));
  return times(plus(input, output), fraction(wholeBasisPoints + markupBp, wholeBasisPoints));
}

/** Pico-dollars per token. */
function perToken(text: string): Fraction {
  const dollars = dollarsIn(text);
  if (dollars === null) throw new RangeError(`${text} is not a price`);
  return times(inPico(dollars), fraction(1, tokensPriced));
}
