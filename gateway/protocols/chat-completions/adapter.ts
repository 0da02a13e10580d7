import { dataEvent, endMarker } from '../../http/send-events.ts';
import { parseChatRequest } from '../../requests/chat-request.ts';
import type { Completion, StreamPiece, Usage } from '../../upstreams/outcome.ts';
import type { AnswerHead, EventWriter, ProtocolAdapter } from '../protocol-adapter.ts';

/** POST /api/v1/chat/completions: the common protocol, which serves every chat model. */
export const chatCompletionsAdapter: ProtocolAdapter = chatCompletionsWith(usageShape);

/** The common protocol with its own form of `usage`. */
export function chatCompletionsWith(usageOf: UsageForm): ProtocolAdapter {
  return {
    protocol: 'chat-completions',
    idPrefix: 'chatcmpl-',
    checkHead: () => {},
    modelName: (_exchange, body) => body.model,
    serves: () => true,
    parse: (body, model) => parseChatRequest(body, model),
    whole: (head, completion) => completionShape(head, completion, usageOf),
    events: (head) => createChunkWriter(head, usageOf),
  };
}

type UsageForm = (usage: Usage | null) => object;

/**
 * `usage` of an answer (specification, "Chat response"); zeros when the upstream reported none.
 * `cache_write_tokens` is our documented extension (B-42).
 */
export function usageShape(usage: Usage | null): object {
  const promptTokens = usage?.promptTokens ?? 0;
  const completionTokens = usage?.completionTokens ?? 0;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: {
      cached_tokens: usage?.cachedTokens ?? 0,
      cache_write_tokens: usage === null ? 0 : usage.cacheWrite5mTokens + usage.cacheWrite1hTokens,
    },
  };
}

/** The body of a non-streamed answer. */
function completionShape(
  head: AnswerHead,
  { text, toolCalls, finish, usage }: Completion,
  usageOf: UsageForm,
): object {
  const calls = toolCalls.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
    ...extraContent(call),
  }));
  const message = { role: 'assistant', content: text, ...(calls.length > 0 && { tool_calls: calls }) };
  return {
    id: head.id,
    object: 'chat.completion',
    created: head.created,
    model: head.model,
    choices: [{ index: 0, message, finish_reason: finish }],
    usage: usageOf(usage),
  };
}

/**
 * Writes the chunks of one stream: the role once, at the start; at the end an empty delta with reason and usage
 * (B-33).
 */
function createChunkWriter({ id, created, model }: AnswerHead, usageOf: UsageForm): EventWriter {
  const head = JSON.stringify({ id, object: 'chat.completion.chunk', created, model }).slice(0, -1);
  const before = `${head},"choices":[{"index":0,"delta":`;
  const chunk = (delta: string): string => dataEvent(`${before}${delta},"finish_reason":null}]}`);
  return {
    open: () => chunk('{"role":"assistant"}'),
    piece: (piece) => {
      if (piece.kind === 'text') return chunk(`{"content":${JSON.stringify(piece.text)}}`);
      return piece.kind === 'native' ? '' : chunk(JSON.stringify(deltaOf(piece)));
    },
    last: ({ finish, usage }) =>
      dataEvent(
        `${head},"choices":[{"index":0,"delta":{},"finish_reason":"${finish}"}],"usage":${JSON.stringify(usageOf(usage))}}`,
      ) + endMarker,
  };
}

function deltaOf(piece: Exclude<StreamPiece, { kind: 'native' | 'text' }>): object {
  switch (piece.kind) {
    case 'tool_start': {
      const { index, id, name } = piece;
      const call = { index, id, type: 'function', function: { name, arguments: '' } };
      return { tool_calls: [{ ...call, ...extraContent(piece) }] };
    }
    case 'tool_arguments':
      return { tool_calls: [{ index: piece.index, function: { arguments: piece.text } }] };
  }
}

/** Our documented extension of a tool call: a value that some upstreams require back with the call. */
function extraContent({ thoughtSignature }: { readonly thoughtSignature?: string }): object {
  return thoughtSignature === undefined ? {} : { extra_content: { thought_signature: thoughtSignature } };
}
