import type { AppliedPriceJson } from '../store/usage-tables.ts';
import { type UsageDoubt, usageDoubts } from '../upstreams/outcome.ts';
import { free, type Price } from './price.ts';
import type { TaskPrice } from './task-price.ts';

/** How a charge was made: list price, markup of the app in basis points, and why its counts may be wrong. */
export type AppliedPrice = TokenPrice | TaskPrice;

interface TokenPrice extends Price {
  readonly markupBp: number;
  readonly doubts?: readonly UsageDoubt[];
}

/** The stored form of the price of a charge. */
export function writePrice(price: AppliedPrice): AppliedPriceJson {
  if ('unit' in price) {
    return { unit: price.unit, unit_pico: price.unitPico.toString(), markup_bp: price.markupBp };
  }
  return {
    input_pico: price.input.toString(),
    output_pico: price.output.toString(),
    cached_percent: Number(price.cachedPercent),
    write_5m_percent: Number(price.write5mPercent),
    write_1h_percent: Number(price.write1hPercent),
    markup_bp: price.markupBp,
    ...(price.doubts !== undefined && { doubts: price.doubts }),
  };
}

/** Reverses `writePrice`. A record without a price comes from a time before prices, and was free. */
export function readPrice(stored: AppliedPriceJson | null): AppliedPrice {
  if (stored === null) return { ...free, markupBp: 0 };
  if ('unit' in stored) {
    return { unit: stored.unit, unitPico: BigInt(stored.unit_pico), markupBp: stored.markup_bp };
  }
  return {
    input: BigInt(stored.input_pico),
    output: BigInt(stored.output_pico),
    cachedPercent: BigInt(stored.cached_percent),
    write5mPercent: BigInt(stored.write_5m_percent),
    write1hPercent: BigInt(stored.write_1h_percent),
    markupBp: stored.markup_bp,
    ...(stored.doubts !== undefined && {
      doubts: usageDoubts.filter((doubt) => stored.doubts?.includes(doubt)),
    }),
  };
}
