import type { ScriptedUsage } from '../../control/protocol.ts';
import type { ComposedAnswer } from '../composition/compose.ts';
import type { CacheUse } from './prompt-cache.ts';

/**
 * The native usage object. Input is additive: `input_tokens` excludes tokens read from or written to the cache.
 */
export interface NativeUsage {
  readonly input_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_read_input_tokens: number;
  /** The written tokens by lifetime. */
  readonly cache_creation: {
    readonly ephemeral_5m_input_tokens: number;
    readonly ephemeral_1h_input_tokens: number;
  };
  readonly output_tokens: number;
  /** Thinking tokens, which the output includes; absent when there are none. */
  readonly output_tokens_details?: { readonly thinking_tokens: number };
  readonly service_tier: 'standard';
}

/** The counted usage, in the neutral form of scripted usage. */
export function countedUsage(
  promptTokens: number,
  { completionTokens, reasoningTokens }: Pick<ComposedAnswer, 'completionTokens' | 'reasoningTokens'>,
  cache: CacheUse,
): ScriptedUsage {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    ...(reasoningTokens === 0 ? {} : { reasoning_tokens: reasoningTokens }),
    cached_tokens: cache.read,
    cache_write_tokens: cache.written5m + cache.written1h,
    cache_write_1h_tokens: cache.written1h,
  };
}

export function renderUsage(usage: ScriptedUsage): NativeUsage {
  const { cached_tokens: read = 0, cache_write_1h_tokens: written1h = 0 } = usage;
  const { cache_write_tokens: written = written1h, reasoning_tokens: thinking } = usage;
  return {
    input_tokens: usage.prompt_tokens - read - written,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    cache_creation: {
      ephemeral_5m_input_tokens: written - written1h,
      ephemeral_1h_input_tokens: written1h,
    },
    output_tokens: usage.completion_tokens,
    ...(thinking === undefined ? {} : { output_tokens_details: { thinking_tokens: thinking } }),
    service_tier: 'standard',
  };
}
