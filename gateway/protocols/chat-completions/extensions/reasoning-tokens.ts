import type { Usage } from '../../../upstreams/outcome.ts';
import { usageShape } from '../adapter.ts';

/** `usage` with the tokens of thinking apart, which the completion tokens include. */
export function usageWithReasoning(usage: Usage | null): object {
  const details = { reasoning_tokens: usage?.reasoningTokens ?? 0 };
  return { ...usageShape(usage), completion_tokens_details: details };
}
