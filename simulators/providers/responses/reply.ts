import type { ScriptedUsage } from '../../control/protocol.ts';
import { seededHex } from '../../random.ts';
import { type ComposedAnswer, type ComposedReply, composeAnswer } from '../composition/compose.ts';
import type { Identity } from '../identity.ts';
import { promptOf, type ResponseRequest } from './request.ts';

/** The complete answer of the model, before it is rendered plain or as a stream. */
export interface ModelResponse {
  readonly id: string;
  readonly createdAt: number;
  readonly model: string;
  readonly request: ResponseRequest;
  readonly items: readonly OutputItem[];
  /** Why the answer is incomplete; null if it is complete. */
  readonly incomplete: 'max_output_tokens' | 'content_filter' | null;
  readonly usage: object;
}

/** One item of the output, and how a stream splits it. */
export type OutputItem =
  | {
      readonly is: 'reasoning';
      readonly id: string;
      readonly text: string;
      readonly deltas: readonly string[];
    }
  | { readonly is: 'message'; readonly id: string; readonly text: string; readonly deltas: readonly string[] }
  | {
      readonly is: 'call';
      readonly id: string;
      readonly callId: string;
      readonly name: string;
      readonly text: string;
      readonly deltas: readonly string[];
    };

export function composeResponse(
  request: ResponseRequest,
  promptTokens: number,
  reply: ComposedReply,
  identity: Identity,
): ModelResponse {
  const { seed, tenant, channel, n, nowMs } = identity;
  const answer = composeAnswer(promptOf(request), reply, seed);
  const idOf = (prefix: string, at: number): string =>
    `${prefix}_${seededHex(48, prefix, seed, tenant, channel, n, at)}`;
  const counted = {
    prompt_tokens: promptTokens,
    completion_tokens: answer.completionTokens,
    reasoning_tokens: answer.reasoningTokens,
  };
  return {
    id: idOf('resp', 0),
    createdAt: Math.floor(nowMs / 1000),
    model: reply.model ?? request.model,
    request,
    items: itemsOf(answer, idOf),
    incomplete:
      answer.finish === 'length'
        ? 'max_output_tokens'
        : answer.finish === 'content_filter'
          ? 'content_filter'
          : null,
    usage: renderUsage(reply.usage ?? counted),
  };
}

function itemsOf(answer: ComposedAnswer, idOf: (prefix: string, at: number) => string): OutputItem[] {
  const { reasoning, text, textDeltas, calls } = answer;
  const half = Math.ceil((reasoning?.length ?? 0) / 2);
  return [
    ...(reasoning === null
      ? []
      : [
          {
            is: 'reasoning' as const,
            id: idOf('rs', 0),
            text: reasoning,
            deltas: [reasoning.slice(0, half), reasoning.slice(half)],
          },
        ]),
    ...(text === null ? [] : [{ is: 'message' as const, id: idOf('msg', 0), text, deltas: textDeltas }]),
    ...calls.map((call, at) => ({
      is: 'call' as const,
      id: idOf('fc', at),
      callId: call.id ?? idOf('call', at),
      name: call.name,
      text: call.arguments,
      deltas: call.fragments,
    })),
  ];
}

/** The native usage object; output includes reasoning. */
function renderUsage(usage: ScriptedUsage): object {
  const { prompt_tokens: input, completion_tokens: output, cached_tokens = 0, reasoning_tokens = 0 } = usage;
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens },
    total_tokens: input + output,
  };
}

/** An item as it appears in the output. While in progress, it has no content. */
export function renderItem(item: OutputItem, isDone = true): object {
  const status = isDone ? 'completed' : 'in_progress';
  switch (item.is) {
    case 'reasoning':
      return {
        id: item.id,
        type: 'reasoning',
        summary: isDone ? [{ type: 'summary_text', text: item.text }] : [],
      };
    case 'message': {
      const content = isDone ? [textPart(item.text)] : [];
      return { id: item.id, type: 'message', status, role: 'assistant', content };
    }
    case 'call': {
      const { id, callId, name, text } = item;
      return { id, type: 'function_call', status, call_id: callId, name, arguments: isDone ? text : '' };
    }
  }
}

export function textPart(text: string): object {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

/** The response object; a stream begins with one in progress. */
export function renderResponse(response: ModelResponse, isDone = true): object {
  const { id, createdAt, model, request, items, incomplete, usage } = response;
  const {
    instructions,
    max_output_tokens,
    temperature,
    top_p,
    tools,
    tool_choice,
    reasoning,
    text,
    metadata,
  } = request;
  return {
    id,
    object: 'response',
    created_at: createdAt,
    status: isDone ? (incomplete === null ? 'completed' : 'incomplete') : 'in_progress',
    background: false,
    error: null,
    incomplete_details: isDone && incomplete !== null ? { reason: incomplete } : null,
    instructions: instructions ?? null,
    max_output_tokens: max_output_tokens ?? null,
    model,
    output: isDone ? items.map((item) => renderItem(item)) : [],
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    previous_response_id: request.previous_response_id ?? null,
    reasoning: { effort: reasoning?.effort ?? null, summary: reasoning?.summary ?? null },
    service_tier: 'default',
    store: true,
    temperature: temperature ?? 1,
    text: text ?? { format: { type: 'text' } },
    tool_choice: tool_choice ?? 'auto',
    tools: tools ?? [],
    top_p: top_p ?? 1,
    truncation: 'disabled',
    usage: isDone ? usage : null,
    metadata: metadata ?? {},
  };
}
