import { isObject, type JsonObject } from '../../http/parse-json.ts';
import { argumentsObject } from '../../requests/native-body/arguments-object.ts';
import { isFirst } from '../../upstreams/json-frames.ts';
import type { Completion, FinishReason, StreamEnd, ToolCall, Usage } from '../../upstreams/outcome.ts';
import type { AnswerHead } from '../protocol-adapter.ts';
import { legalPart } from './legal-part.ts';

/** The native finish reasons; an answer that ends in tool calls ends regularly. */
const reasons: Readonly<Record<FinishReason, string>> = {
  stop: 'STOP',
  tool_calls: 'STOP',
  length: 'MAX_TOKENS',
  content_filter: 'SAFETY',
};

/** The form of a finish reason, known or not, except the unspecified one. */
const reason = /^(?!FINISH_REASON_UNSPECIFIED$)[A-Z][A-Z_]{0,63}$/;

/** The body of a non-streamed answer: the upstream's own content if it uses this dialect. */
export function generatedShape(head: AnswerHead, completion: Completion): object {
  const { text, toolCalls, native } = completion;
  const own = [...(text === null || text === '' ? [] : [{ text }]), ...toolCalls.map(callPart)];
  return responseShape(
    head,
    native === undefined ? own : nativeParts(native, toolCalls),
    endShape(completion),
  );
}

function nativeParts(native: JsonObject, toolCalls: readonly ToolCall[]): JsonObject[] {
  const { content } = candidateOf(native);
  const calls = toolCalls.values();
  const parts: unknown[] = isObject(content) && Array.isArray(content.parts) ? content.parts : [];
  return parts.flatMap((part) => {
    if (!isObject(part)) return [];
    // Calls inside thoughts do not count as calls.
    const isCall = isObject(part.functionCall) && part.thought !== true;
    const legal = legalPart(part, isCall ? calls.next().value?.id : undefined);
    return legal === null ? [] : [legal];
  });
}

/** One response: a whole answer, or one event of a stream. */
export function responseShape(
  head: AnswerHead,
  parts: readonly unknown[],
  { candidate, response }: EndShape = { candidate: {}, response: {} },
): object {
  return {
    candidates: [{ content: { role: 'model', parts }, index: 0, ...candidate }],
    ...response,
    modelVersion: head.model,
    responseId: head.id,
  };
}

/** The fields about the candidate and the whole answer at its end. */
export interface EndShape {
  readonly candidate: JsonObject;
  readonly response: JsonObject;
}

/** `finishMessage` and similar fields are an upstream's own texts, which are never passed on. */
export function endShape({ finish, usage, native }: Completion | StreamEnd): EndShape {
  const { content: _content, finishMessage: _text, finishReason, ...extras } = candidateOf(native);
  const isNamed = typeof finishReason === 'string' && reason.test(finishReason);
  const feedback = native?.promptFeedback;
  return {
    candidate: { ...extras, finishReason: isNamed ? finishReason : reasons[finish], index: 0 },
    response: {
      ...(isObject(feedback) && { promptFeedback: without(feedback, 'blockReasonMessage') }),
      usageMetadata: usageShape(usage, native?.usageMetadata),
    },
  };
}

/** The part for a call. Arguments are an object in this dialect. */
export function callPart({ id, name, arguments: text, thoughtSignature }: ToolCall): object {
  return {
    functionCall: { id, name, args: argumentsObject(text) },
    ...(thoughtSignature !== undefined && { thoughtSignature }),
  };
}

/** The upstream's own counts if they agree with the billed ones; otherwise ours, or zeros if it reported none. */
function usageShape(usage: Usage | null, native: unknown): JsonObject {
  const written = isObject(native) ? withNumbers(native) : {};
  if (usage !== null && usage.doubts === undefined && saysTheSame(written, usage)) return written;
  const {
    promptTokens: prompt = 0,
    completionTokens: completion = 0,
    cachedTokens: cached = 0,
  } = usage ?? {};
  const thoughts = usage?.reasoningTokens ?? 0;
  return {
    promptTokenCount: prompt,
    candidatesTokenCount: completion - thoughts,
    totalTokenCount: prompt + completion,
    ...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
    ...(cached > 0 && { cachedContentTokenCount: cached }),
  };
}

function saysTheSame(written: JsonObject, usage: Usage): boolean {
  const sum = (...names: string[]): number =>
    names.reduce((all, name) => all + Number(written[name] ?? 0), 0);
  return (
    sum('promptTokenCount', 'toolUsePromptTokenCount') === usage.promptTokens &&
    sum('candidatesTokenCount', 'thoughtsTokenCount') === usage.completionTokens &&
    sum('cachedContentTokenCount') === usage.cachedTokens
  );
}

function candidateOf(native: JsonObject | undefined): JsonObject {
  const candidates: unknown[] = Array.isArray(native?.candidates) ? native.candidates : [];
  return candidates.filter(isObject).find(({ index }) => isFirst(index)) ?? {};
}

/** Counts may be strings. */
function withNumbers(native: JsonObject): JsonObject {
  const entries = Object.entries(native).map(([name, value]) => {
    const isCount = name.endsWith('TokenCount') && typeof value === 'string' && /^\d{1,15}$/.test(value);
    return [name, isCount ? Number(value) : value] as const;
  });
  return Object.fromEntries(entries);
}

function without(object: JsonObject, name: string): JsonObject {
  const { [name]: _dropped, ...rest } = object;
  return rest;
}
