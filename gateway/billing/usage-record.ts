import type { PriceUnit } from '../money/price-row.ts';
import type { AppliedPrice } from './applied-price.ts';

/** The label is stored for people to read; longer ones are cut. */
export const maxEndUserLength = 512;

/** What one request used; written once, with the request id as key. Specification: "What the service does". */
export interface UsageRecord {
  request_id: string;
  account_id: string;
  user_id: string;
  app_id: string;
  key_id: string;
  /** The model id that the caller requested, and the one that answered. */
  model_requested: string;
  model_served: string;
  /** The channel that answered last; null if none was called. */
  channel_id: string | null;
  /** How the request ended: `ok` or the code of its error. */
  outcome: string;
  stream: boolean;
  /** Number of calls to upstreams. */
  attempts: number;
  /** Tokens as the upstream counted them. */
  prompt_tokens: bigint;
  completion_tokens: bigint;
  /** The part of `prompt_tokens` that was read from a cache. */
  cached_tokens: bigint;
  /** The parts that were written to a cache entry of 5 minutes and of 1 hour. */
  cache_write_5m_tokens: bigint;
  cache_write_1h_tokens: bigint;
  /** False when no upstream reported a count; the counts are 0 then. */
  usage_known: boolean;
  /** How many billed units were made, and which unit; null where tokens count. */
  units: number | null;
  unit: PriceUnit | null;
  /** The task that the request submitted; null for all others. */
  task_id: string | null;
  /** The caller's own label for the person behind the request. */
  end_user: string | null;
  metadata: Record<string, string> | null;
  /** What it cost; 0 when it failed. */
  charge_pico: bigint;
  /** The price and markup of the charge. */
  price: AppliedPrice;
  /** The tasks that its task builds on, the first one first. */
  parents: readonly string[];
  /** Unix time in milliseconds. */
  started_at_ms: number;
  ended_at_ms: number;
}
