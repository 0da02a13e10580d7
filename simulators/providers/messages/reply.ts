import { seededHex, seededId } from '../../random.ts';
import { argumentsAsObject } from '../composition/arguments.ts';
import {
  type ComposedAnswer,
  type ComposedCall,
  type ComposedReply,
  composeAnswer,
} from '../composition/compose.ts';
import type { Prompt, ToolChoice } from '../composition/prompt.ts';
import type { Identity } from '../identity.ts';
import type { NativeModel } from './models.ts';
import { countPrompt, type PromptBlock } from './prompt-blocks.ts';
import type { CacheUse } from './prompt-cache.ts';
import { type CustomTool, isCustomTool, type MessagesRequest } from './schema.ts';
import { countedUsage, type NativeUsage, renderUsage } from './usage.ts';

/** A request that has passed every native check, with the facts derived from it. */
export interface AcceptedRequest {
  readonly request: MessagesRequest;
  readonly model: NativeModel;
  readonly blocks: readonly PromptBlock[];
}

/** The complete answer of the model, before it is rendered plain or as a stream. */
export interface Message {
  readonly id: string;
  readonly model: string;
  /** The shown reasoning with its signature; null if none. */
  readonly thinking: { readonly text: string; readonly signature: string } | null;
  /** Null when there is no text block. */
  readonly text: string | null;
  readonly textDeltas: readonly string[];
  readonly calls: readonly MessageCall[];
  readonly stopReason: StopReason;
  readonly stopSequence: string | null;
  readonly usage: NativeUsage;
}

export interface MessageCall extends ComposedCall {
  readonly id: string;
}

export type StopReason =
  | 'end_turn'
  | 'max_tokens'
  | 'model_context_window_exceeded'
  | 'stop_sequence'
  | 'tool_use'
  | 'refusal';

export function composeMessage(
  accepted: AcceptedRequest,
  reply: ComposedReply,
  cache: CacheUse,
  identity: Identity,
): Message {
  const { request, model, blocks } = accepted;
  const { seed, tenant, channel, n } = identity;
  const promptTokens = countPrompt(blocks);
  const roomTokens = model.windowTokens - promptTokens;
  const prompt = promptOf(accepted, Math.min(request.max_tokens, roomTokens));
  const answer = composeAnswer(prompt, withinChoice(reply, request), seed);
  const isHalted = answer.finish === 'stop' && answer.stopSequence !== null;
  const isOutOfRoom = reply.finish === undefined && roomTokens < request.max_tokens;
  return {
    id: `msg_01${seededId(22, seed, tenant, channel, n)}`,
    model: reply.model ?? request.model,
    thinking:
      answer.reasoning === null
        ? null
        : {
            text: answer.reasoning,
            signature: signatureOf(seededHex(128, 'thinking', seed, tenant, channel, n)),
          },
    // An empty text has no block, unless a script splits it into (empty) deltas.
    text: answer.text === '' && answer.textDeltas.length === 0 ? null : answer.text,
    textDeltas: answer.textDeltas,
    calls: answer.calls.map((call, at) => ({
      ...call,
      id: call.id ?? `toolu_01${seededId(22, seed, tenant, channel, n, at)}`,
    })),
    stopReason: stopReasonOf(answer, isOutOfRoom),
    stopSequence: isHalted ? answer.stopSequence : null,
    usage: renderUsage(reply.usage ?? countedUsage(promptTokens, answer, cache)),
  };
}

/** The answer as one JSON document. */
export function renderMessage(message: Message): object {
  const { thinking, text, calls, stopReason, stopSequence, usage } = message;
  const thought =
    thinking === null ? [] : [{ type: 'thinking', thinking: thinking.text, signature: thinking.signature }];
  const spoken = [...thought, ...(text === null ? [] : [{ type: 'text', text }])];
  const called = calls.map(({ id, name, arguments: args }) => ({
    type: 'tool_use',
    id,
    name,
    input: argumentsAsObject(args),
  }));
  return renderEnvelope(message, [...spoken, ...called], { stopReason, stopSequence, usage });
}

/** The message object around its content; a stream begins with one without content. */
export function renderEnvelope(
  { id, model }: Message,
  content: readonly object[],
  ending: { stopReason: StopReason | null; stopSequence: string | null; usage: NativeUsage },
): object {
  return {
    model,
    id,
    type: 'message',
    role: 'assistant',
    content,
    stop_reason: ending.stopReason,
    stop_sequence: ending.stopSequence,
    usage: ending.usage,
  };
}

function signatureOf(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64');
}

function promptOf({ request, blocks }: AcceptedRequest, maxTokens: number): Prompt {
  const { model, stop_sequences: stops = [], tools = [], tool_choice: choice, thinking } = request;
  const format = request.output_config?.format ?? request.output_format;
  const custom = tools.filter(isCustomTool);
  const conversation = blocks.filter(({ part }) => part !== 'tools').map(({ text }) => text);
  return {
    model,
    conversation: JSON.stringify(conversation),
    // Requests of this dialect have no seed.
    seed: null,
    stops,
    maxTokens,
    tools: custom.map(({ name, input_schema: parameters }) => ({ name, parameters })),
    choice: choiceOf(choice, custom),
    thinks: thinking?.type === 'enabled' && thinking.display !== 'omitted',
    format: format ? { schema: format.schema } : 'text',
  };
}

/** Provider-run tools do not run here, so choosing one of them counts as `auto`. */
function choiceOf(choice: MessagesRequest['tool_choice'], tools: readonly CustomTool[]): ToolChoice {
  switch (choice?.type) {
    case 'any':
      return tools.length > 0 ? 'required' : 'auto';
    case 'tool':
      return tools.some(({ name }) => name === choice.name) ? { name: choice.name } : 'auto';
    default:
      return choice?.type ?? 'auto';
  }
}

/** Keeps at most one call when the request forbids parallel calls and the reply obeys. */
function withinChoice(reply: ComposedReply, { tool_choice: choice }: MessagesRequest): ComposedReply {
  const isSerial =
    choice !== undefined && 'disable_parallel_tool_use' in choice && choice.disable_parallel_tool_use;
  if (isSerial !== true || reply.obey === false || reply.tool_calls === undefined) return reply;
  return { ...reply, tool_calls: reply.tool_calls.slice(0, 1) };
}

function stopReasonOf({ finish, stopSequence }: ComposedAnswer, isOutOfRoom: boolean): StopReason {
  switch (finish) {
    case 'stop':
      return stopSequence === null ? 'end_turn' : 'stop_sequence';
    case 'length':
      return isOutOfRoom ? 'model_context_window_exceeded' : 'max_tokens';
    case 'tool_calls':
      return 'tool_use';
    case 'content_filter':
      return 'refusal';
  }
}
