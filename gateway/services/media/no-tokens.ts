import type { UsageRecord } from '../../billing/usage-record.ts';

type About = 'end_user' | 'metadata' | 'stream' | 'usage_known' | `${string}_tokens`;

/** The token and chat fields of a usage record for media: known to be zero or absent. */
export const noTokens: Pick<UsageRecord, Extract<keyof UsageRecord, About>> = {
  stream: false,
  prompt_tokens: 0n,
  completion_tokens: 0n,
  cached_tokens: 0n,
  cache_write_5m_tokens: 0n,
  cache_write_1h_tokens: 0n,
  usage_known: true,
  end_user: null,
  metadata: null,
};
