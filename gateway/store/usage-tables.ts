import type { ColumnType } from 'kysely';
import type { PriceUnit } from '../money/price-row.ts';
import type { Written } from './columns.ts';

/** Append-only: the database rejects updates and deletions. Text is encoded as billing/stored-text.ts describes. */
export interface UsageRecordsTable {
  request_id: Written<string>;
  account_id: Written<string>;
  user_id: Written<string>;
  app_id: Written<string>;
  key_id: Written<string>;
  model_requested: Written<string>;
  model_served: Written<string>;
  channel_id: Written<string | null>;
  outcome: Written<string>;
  stream: Written<boolean>;
  attempts: Written<number>;
  prompt_tokens: Written<bigint>;
  completion_tokens: Written<bigint>;
  cached_tokens: Written<bigint>;
  cache_write_5m_tokens: Written<bigint>;
  cache_write_1h_tokens: Written<bigint>;
  usage_known: Written<boolean>;
  /** Number of billed units, and which unit; null if tokens count. */
  units: Written<number | null>;
  unit: Written<PriceUnit | null>;
  /** The task that the request submitted. */
  task_id: Written<string | null>;
  /** The cost of the request in pico-USD. */
  charge_pico: ColumnType<string, bigint | string, never>;
  /** The price and markup of the charge, and doubts about its counts. Decimal digits as text; null without a price. */
  price: Written<AppliedPriceJson | null>;
  /** The tasks that the request's task builds on, in order. */
  parents: Written<string[]>;
  end_user: Written<string | null>;
  metadata: Written<Record<string, string> | null>;
  started_at: Written<Date>;
  ended_at: Written<Date>;
}

/** The stored price of a charge. */
export type AppliedPriceJson = AppliedTokenPriceJson | AppliedUnitPriceJson;

interface AppliedUnitPriceJson {
  readonly unit: PriceUnit;
  readonly unit_pico: string;
  readonly markup_bp: number;
}

interface AppliedTokenPriceJson {
  readonly input_pico: string;
  readonly output_pico: string;
  readonly cached_percent: number;
  readonly write_5m_percent: number;
  readonly write_1h_percent: number;
  readonly markup_bp: number;
  /** Why the counts may be wrong; null without doubts. */
  readonly doubts?: readonly string[];
}
