import type { Finish, ScriptedUsage } from '../../control/protocol.ts';
import { isObject } from '../../json/json-body.ts';
import { seededHex, seededId } from '../../random.ts';
import { countTokens } from '../../tokens.ts';
import { parseArguments } from '../composition/arguments.ts';
import {
  type ComposedAnswer,
  type ComposedCall,
  type ComposedReply,
  composeAnswer,
} from '../composition/compose.ts';
import type { Prompt } from '../composition/prompt.ts';
import type { Identity } from '../identity.ts';
import type { GenerateRequest } from './request.ts';
import { countPrompt, type NativeUsage, renderUsage, sumOf } from './usage.ts';

/** The complete answer of the model, before it is rendered plain or as a stream. */
export interface Answer {
  readonly responseId: string;
  readonly modelVersion: string;
  /** The shown reasoning; null if none. */
  readonly thought: string | null;
  readonly text: string;
  /** The text as a stream splits it. */
  readonly textDeltas: readonly string[];
  readonly calls: readonly AnswerCall[];
  readonly ending: Ending;
  readonly usage: NativeUsage;
}

/** A function call: whole in one part, and one delta of a stream. */
export interface AnswerCall {
  readonly part: object;
  /** By the token rule. */
  readonly tokens: number;
}

/** How a candidate ends, and what the answer reports about it. */
export type Ending =
  | { readonly finishReason: 'STOP' | 'MAX_TOKENS' }
  | { readonly finishReason: 'MALFORMED_FUNCTION_CALL'; readonly finishMessage: string }
  | { readonly finishReason: 'SAFETY'; readonly safetyRatings: readonly object[] };

/** `model` is the name in the URL. */
export function composeResponse(
  request: GenerateRequest,
  model: string,
  reply: ComposedReply,
  identity: Identity,
): Answer {
  const { seed, tenant, channel, n } = identity;
  const answer = composeAnswer(promptOf(request, model), reply, seed);
  const prompt = countPrompt(request);
  const usage =
    reply.usage === undefined
      ? renderUsage(countedBy(answer, sumOf(prompt)), prompt)
      : renderUsage(reply.usage);
  const { readable, broken } = readCalls(answer);
  return {
    responseId: seededId(22, seed, tenant, channel, n),
    modelVersion: reply.model ?? model,
    thought: answer.reasoning,
    text: answer.text ?? '',
    textDeltas: answer.textDeltas,
    calls: readable.map(({ call, args }, at) => renderCall(call, args, at, identity)),
    ending: endingOf(answer.finish, broken),
    usage,
  };
}

/** The answer as one JSON document. */
export function renderAnswer(answer: Answer): object {
  const spoken = [...thoughtParts(answer), ...(answer.text === '' ? [] : [{ text: answer.text }])];
  return renderChunk(
    answer,
    [...spoken, ...answer.calls.map(({ part }) => part)],
    answer.usage,
    answer.ending,
  );
}

/** The part that shows the reasoning. */
export function thoughtParts({ thought }: Answer): object[] {
  return thought === null ? [] : [{ text: thought, thought: true }];
}

function countedBy(
  { completionTokens, reasoningTokens }: ComposedAnswer,
  promptTokens: number,
): ScriptedUsage {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    reasoning_tokens: reasoningTokens,
  };
}

/**
 * One chunk of an answer. With an ending it is the last chunk, or the whole answer. Every chunk has usage.
 * Content without parts has no `parts` member; a blocked candidate without parts has no `content` either.
 */
export function renderChunk(
  { responseId, modelVersion }: Answer,
  parts: readonly object[],
  usage: NativeUsage,
  ending?: Ending,
): object {
  const content = { ...(parts.length > 0 ? { parts } : {}), role: 'model' };
  const isBlocked = parts.length === 0 && ending?.finishReason === 'SAFETY';
  const candidate = { ...(isBlocked ? {} : { content }), ...ending, index: 0 };
  return { candidates: [candidate], usageMetadata: usage, modelVersion, responseId };
}

function promptOf(request: GenerateRequest, model: string): Prompt {
  const { contents, systemInstruction, tools = [], toolConfig, generationConfig: config = {} } = request;
  const { mode, allowedFunctionNames: allowed = [] } = toolConfig?.functionCallingConfig ?? {};
  const declared = tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations);
  return {
    model,
    conversation: JSON.stringify([systemInstruction, contents]),
    seed: config.seed ?? null,
    stops: config.stopSequences ?? [],
    maxTokens: config.maxOutputTokens ?? null,
    tools: declared
      .filter(({ name = '' }) => allowed.length === 0 || allowed.includes(name))
      .map(({ name = '', parameters, parametersJsonSchema }) => ({
        name,
        parameters: parameters ?? parametersJsonSchema,
      })),
    thinks: config.thinkingConfig?.includeThoughts === true,
    choice: mode === 'ANY' ? 'required' : mode === 'NONE' ? 'none' : 'auto',
    format:
      config.responseMimeType === 'application/json'
        ? { schema: config.responseSchema ?? config.responseJsonSchema ?? null }
        : 'text',
  };
}

interface ReadCalls {
  readonly readable: readonly { readonly call: ComposedCall; readonly args: object }[];
  /** The first call whose arguments are not an object. This dialect cannot express it, so it ends the answer. */
  readonly broken: ComposedCall | null;
}

function readCalls({ calls, finish }: ComposedAnswer): ReadCalls {
  const readable: { call: ComposedCall; args: object }[] = [];
  for (const call of calls) {
    // An empty text means no arguments, unless the token limit removed them.
    const text = call.arguments === '' && finish !== 'length' ? '{}' : call.arguments;
    const args = parseArguments(text);
    if (!isObject(args)) return { readable, broken: call };
    readable.push({ call, args });
  }
  return { readable, broken: null };
}

/** Only the first call of an answer carries the thought signature, which covers all calls. */
function renderCall(call: ComposedCall, args: object, at: number, identity: Identity): AnswerCall {
  const { seed, tenant, channel, n } = identity;
  const id = call.id ?? seededId(8, seed, tenant, channel, n, at).toLowerCase();
  const functionCall = { id, name: call.name, args };
  const thoughtSignature = Buffer.from(seededHex(64, 'thought', seed, tenant, channel, n), 'hex').toString(
    'base64',
  );
  return {
    part: at === 0 ? { functionCall, thoughtSignature } : { functionCall },
    tokens: countTokens(call.name) + countTokens(call.arguments),
  };
}

function endingOf(finish: Finish, broken: ComposedCall | null): Ending {
  if (finish === 'length') return { finishReason: 'MAX_TOKENS' };
  if (finish === 'content_filter') {
    const rating = { category: 'HARM_CATEGORY_DANGEROUS_CONTENT', probability: 'HIGH', blocked: true };
    return { finishReason: 'SAFETY', safetyRatings: [rating] };
  }
  if (broken === null) return { finishReason: 'STOP' };
  const finishMessage = `Malformed function call: ${broken.name}(${broken.arguments})`;
  return { finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage };
}
