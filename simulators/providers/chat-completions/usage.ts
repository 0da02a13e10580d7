import type { ScriptedUsage } from '../../control/protocol.ts';
import { countTokens, mediaTokens, turnTokens } from '../../tokens.ts';
import { countCompletion } from '../composition/limits.ts';
import type { ChatMessage, ChatRequest } from './request.ts';

/**
 * Prompt tokens by the token rule: 4 for each message plus its content, name and tool calls; then the tools as
 * JSON. Any additional message, word or tool increases the count.
 */
export function countPrompt(request: Pick<ChatRequest, 'messages' | 'tools'>): number {
  const tools = request.tools == null ? 0 : countTokens(JSON.stringify(request.tools));
  return request.messages.reduce((sum, message) => sum + countMessage(message), tools);
}

/** The native usage object; the details are always present. */
export interface NativeUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly prompt_tokens_details: { readonly cached_tokens: number; readonly audio_tokens: number };
  readonly completion_tokens_details: {
    readonly reasoning_tokens: number;
    readonly audio_tokens: number;
    readonly accepted_prediction_tokens: number;
    readonly rejected_prediction_tokens: number;
  };
}

/** Prompt tokens include cached tokens, and completion tokens include reasoning. Cache writes have no member. */
export function renderUsage({
  prompt_tokens,
  completion_tokens,
  cached_tokens = 0,
  reasoning_tokens = 0,
}: ScriptedUsage): NativeUsage {
  return {
    prompt_tokens,
    completion_tokens,
    total_tokens: prompt_tokens + completion_tokens,
    prompt_tokens_details: { cached_tokens, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

/** The usage as a member of a document with an indentation of two. */
export function usageText({
  prompt_tokens: prompt,
  completion_tokens: completion,
  ...usage
}: NativeUsage): string {
  const { prompt_tokens_details: read, completion_tokens_details: written } = usage;
  return `{
    "prompt_tokens": ${prompt},
    "completion_tokens": ${completion},
    "total_tokens": ${usage.total_tokens},
    "prompt_tokens_details": {
      "cached_tokens": ${read.cached_tokens},
      "audio_tokens": ${read.audio_tokens}
    },
    "completion_tokens_details": {
      "reasoning_tokens": ${written.reasoning_tokens},
      "audio_tokens": ${written.audio_tokens},
      "accepted_prediction_tokens": ${written.accepted_prediction_tokens},
      "rejected_prediction_tokens": ${written.rejected_prediction_tokens}
    }
  }`;
}

function countMessage({ content, name, tool_calls: calls }: ChatMessage): number {
  const named = countTokens(name ?? '');
  const called = countCompletion(
    null,
    (calls ?? []).map((call) =>
      call.type === 'function' ? call.function : { name: call.custom.name, arguments: call.custom.input },
    ),
  );
  return turnTokens + countContent(content) + named + called;
}

function countContent(content: ChatMessage['content']): number {
  if (typeof content === 'string') return countTokens(content);
  return (content ?? []).reduce((sum, block) => {
    if (block.type === 'text') return sum + countTokens(block.text);
    if (block.type === 'refusal') return sum + countTokens(block.refusal);
    return sum + mediaTokens;
  }, 0);
}
