import type { Finish, Reply } from '../../control/protocol.ts';
import { seededHex, seededId } from '../../random.ts';
import { type ComposedCall, composeAnswer } from '../composition/compose.ts';
import type { Prompt, ToolChoice } from '../composition/prompt.ts';
import type { Identity } from '../identity.ts';
import { type ChatRequest, maxTokensOf, stopsOf } from './request.ts';
import { countPrompt, type NativeUsage, renderUsage } from './usage.ts';

/** The complete answer of the model, before it is rendered plain or as a stream. */
export interface Completion {
  readonly id: string;
  /** Seconds since the epoch. */
  readonly created: number;
  readonly model: string;
  readonly fingerprint: string;
  /** Null when the answer consists of calls alone. */
  readonly text: string | null;
  /** The text as a stream splits it. */
  readonly textDeltas: readonly string[];
  readonly calls: readonly CompletionCall[];
  readonly finish: Finish;
  readonly usage: NativeUsage;
}

export interface CompletionCall extends ComposedCall {
  readonly id: string;
}

export function composeCompletion(request: ChatRequest, reply: Reply, identity: Identity): Completion {
  const { seed, tenant, channel, n, nowMs } = identity;
  const answer = composeAnswer(promptOf(request), reply, seed);
  const counted = { prompt_tokens: countPrompt(request), completion_tokens: answer.completionTokens };
  return {
    id: `chatcmpl-${seededId(29, seed, tenant, channel, n)}`,
    created: Math.floor(nowMs / 1000),
    model: reply.model ?? request.model,
    fingerprint: `fp_${seededHex(10, seed, request.model)}`,
    text: answer.text,
    textDeltas: answer.textDeltas,
    calls: answer.calls.map((call, at) => ({
      ...call,
      id: call.id ?? `call_${seededId(24, seed, tenant, channel, n, at)}`,
    })),
    finish: answer.finish,
    usage: renderUsage(reply.usage ?? counted),
  };
}

function promptOf(request: ChatRequest): Prompt {
  const { model, messages, seed, tools, tool_choice: choice } = request;
  // A generated answer calls functions only: tools of free text are taken, and not used.
  const functions = (tools ?? []).flatMap((tool) =>
    tool.type === 'function' ? [{ name: tool.function.name, parameters: tool.function.parameters }] : [],
  );
  return {
    model,
    conversation: JSON.stringify(messages),
    seed: seed ?? null,
    stops: stopsOf(request),
    maxTokens: maxTokensOf(request),
    tools: functions,
    choice: choiceOf(choice, functions.length > 0),
    format: formatOf(request.response_format),
  };
}

function choiceOf(choice: ChatRequest['tool_choice'], hasFunctions: boolean): ToolChoice {
  if (!hasFunctions || choice == null) return choice === 'none' ? 'none' : 'auto';
  if (typeof choice === 'string') return choice;
  if (choice.type === 'function') return choice.function;
  return choice.type === 'allowed_tools' ? choice.allowed_tools.mode : 'auto';
}

function formatOf(format: ChatRequest['response_format']): Prompt['format'] {
  switch (format?.type) {
    case 'json_object':
      return { schema: null };
    case 'json_schema':
      return { schema: format.json_schema.schema ?? {} };
    default:
      return 'text';
  }
}

/** The answer as one JSON document. */
export function renderCompletion({ id, created, model, fingerprint, ...completion }: Completion): object {
  const { text, calls, finish, usage } = completion;
  const toolCalls = calls.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
  }));
  const message = {
    role: 'assistant',
    content: text,
    ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
    refusal: null,
    annotations: [],
  };
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finish }],
    usage,
    service_tier: 'default',
    system_fingerprint: fingerprint,
  };
}
