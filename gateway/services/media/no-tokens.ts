import type { UsageRecord } from '../../billing/usage-record.ts';

type About = 'end_user' | 'metadata' | 'stream' | 'usage_known' | `${string}_tokens`;

/** What the usage record of media says of tokens and of what only chat has: nothing, and that is known. */
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
