import { free } from '../../billing/price.ts';
import type { UsageRecord } from '../../billing/usage-record.ts';

// For tests only.

/** A plausible record of the given request. */
export function sampleUsage(requestId: string, overrides: Partial<UsageRecord> = {}): UsageRecord {
  return {
    request_id: requestId,
    account_id: 'acct',
    user_id: 'u1',
    app_id: 'a1',
    key_id: 'k1',
    model_requested: 'alpha-5-2',
    model_served: 'alpha-5-2',
    channel_id: 'ch-1',
    outcome: 'ok',
    stream: false,
    attempts: 1,
    prompt_tokens: 12n,
    completion_tokens: 34n,
    cached_tokens: 0n,
    cache_write_5m_tokens: 0n,
    cache_write_1h_tokens: 0n,
    usage_known: true,
    units: null,
    unit: null,
    task_id: null,
    end_user: null,
    metadata: null,
    charge_pico: 0n,
    price: { ...free, markupBp: 0 },
    parents: [],
    started_at_ms: 1_700_000_000_123,
    ended_at_ms: 1_700_000_000_456,
    ...overrides,
  };
}
