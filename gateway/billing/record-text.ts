import type { AppliedPriceJson } from '../store/usage-tables.ts';
import { readPrice, writePrice } from './applied-price.ts';
import type { UsageRecord } from './usage-record.ts';

const counts = [
  'prompt_tokens',
  'completion_tokens',
  'cached_tokens',
  'cache_write_5m_tokens',
  'cache_write_1h_tokens',
  'charge_pico',
] as const;
type Count = (typeof counts)[number];

type RecordJson = Omit<UsageRecord, Count | 'price'> &
  Record<Count, string> & { readonly price: AppliedPriceJson };

/** A usage record as one line of JSON; whole numbers are digits as text. */
export function writeRecord(record: UsageRecord): string {
  const texts = Object.fromEntries(counts.map((name) => [name, record[name].toString()]));
  return JSON.stringify({ ...record, ...texts, price: writePrice(record.price) });
}

/** Reverses `writeRecord`. The text was written by this program, so it is trusted. */
export function readRecord(text: string): UsageRecord {
  const stored: RecordJson = JSON.parse(text);
  return {
    ...stored,
    prompt_tokens: BigInt(stored.prompt_tokens),
    completion_tokens: BigInt(stored.completion_tokens),
    cached_tokens: BigInt(stored.cached_tokens),
    cache_write_5m_tokens: BigInt(stored.cache_write_5m_tokens),
    cache_write_1h_tokens: BigInt(stored.cache_write_1h_tokens),
    charge_pico: BigInt(stored.charge_pico),
    price: readPrice(stored.price),
  };
}
