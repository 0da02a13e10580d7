import { type PricedQuality, pricedQualities, type QualityPrices } from '../money/price-row.ts';

/** Stored prices of single qualities, as digits: JSON numbers are not exact enough. */
export type QualityDigits = Readonly<Record<PricedQuality, string>>;

export function qualityDigits(prices: QualityPrices | null): QualityDigits | null {
  if (prices === null) return null;
  return { low: String(prices.low), medium: String(prices.medium), high: String(prices.high) };
}

/** Reverses `qualityDigits`. */
export function qualityPrices(digits: Readonly<Record<string, string>> | null): QualityPrices | null {
  if (digits === null) return null;
  const [low, medium, high] = pricedQualities.map((name) => BigInt(digits[name] ?? 0));
  return { low: low ?? 0n, medium: medium ?? 0n, high: high ?? 0n };
}
