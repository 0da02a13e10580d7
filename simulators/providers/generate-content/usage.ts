import type { ScriptedUsage } from '../../control/protocol.ts';
import { countTokens, mediaTokens, turnTokens } from '../../tokens.ts';
import { type Modality, modalityOf } from './media.ts';
import type { Content, GenerateRequest, Part } from './request.ts';

/** Input tokens by modality. */
export type PromptTokens = ReadonlyMap<Modality, number>;

/**
 * Prompt tokens by the token rule: 4 for each content plus its parts, then the tools as JSON. A medium counts 85,
 * a call or response its name and JSON. Any additional content, part, word or tool increases the count.
 */
export function countPrompt({
  contents = [],
  systemInstruction,
  tools = [],
}: Pick<GenerateRequest, 'contents' | 'systemInstruction' | 'tools'>): PromptTokens {
  const counts = new Map<Modality, number>();
  const add = (modality: Modality, tokens: number): void => {
    counts.set(modality, (counts.get(modality) ?? 0) + tokens);
  };
  const all: Content[] = systemInstruction === undefined ? contents : [systemInstruction, ...contents];
  for (const { parts = [] } of all) {
    // The system instruction also counts as a turn.
    add('TEXT', turnTokens);
    for (const part of parts) add(...countPart(part));
  }
  if (tools.length > 0) add('TEXT', countTokens(JSON.stringify(tools)));
  return counts;
}

export function sumOf(tokens: PromptTokens): number {
  return [...tokens.values()].reduce((sum, count) => sum + count, 0);
}

/** The native usage object. Counts of zero are omitted, except for prompt and total. */
export interface NativeUsage {
  /** All input, cached tokens included. */
  readonly promptTokenCount: number;
  readonly cachedContentTokenCount?: number;
  /** The answer without thoughts, which have their own count. */
  readonly candidatesTokenCount?: number;
  readonly thoughtsTokenCount?: number;
  readonly totalTokenCount: number;
  readonly promptTokensDetails: readonly ModalityCount[];
  readonly cacheTokensDetails?: readonly ModalityCount[];
}

export interface ModalityCount {
  readonly modality: Modality;
  readonly tokenCount: number;
}

/** Converts scripted usage. Its completion includes reasoning; here the candidates exclude it. */
export function renderUsage(usage: ScriptedUsage, prompt?: PromptTokens): NativeUsage {
  const { prompt_tokens, completion_tokens, cached_tokens = 0, reasoning_tokens = 0 } = usage;
  const candidates = completion_tokens - reasoning_tokens;
  return {
    promptTokenCount: prompt_tokens,
    ...(cached_tokens === 0 ? {} : { cachedContentTokenCount: cached_tokens }),
    ...(candidates === 0 ? {} : { candidatesTokenCount: candidates }),
    ...(reasoning_tokens === 0 ? {} : { thoughtsTokenCount: reasoning_tokens }),
    totalTokenCount: prompt_tokens + completion_tokens,
    promptTokensDetails: renderDetails(prompt ?? new Map([['TEXT', prompt_tokens]])),
    ...(cached_tokens === 0 ? {} : { cacheTokensDetails: [{ modality: 'TEXT', tokenCount: cached_tokens }] }),
  };
}

/** The usage in the middle of a stream. `tokens` counts the answer so far, including the current chunk. */
export function usageSoFar(final: NativeUsage, tokens: number): NativeUsage {
  const { candidatesTokenCount: all = 0, totalTokenCount, ...rest } = final;
  const candidates = Math.min(tokens, all);
  return {
    ...rest,
    ...(candidates === 0 ? {} : { candidatesTokenCount: candidates }),
    totalTokenCount: totalTokenCount - all + candidates,
  };
}

/** The answer to `:countTokens`. */
export function renderCount(prompt: PromptTokens): object {
  return { totalTokens: sumOf(prompt), promptTokensDetails: renderDetails(prompt) };
}

function renderDetails(tokens: PromptTokens): ModalityCount[] {
  return [...tokens].map(([modality, tokenCount]) => ({ modality, tokenCount }));
}

function countPart({ text, inlineData, fileData, functionCall, functionResponse }: Part): [Modality, number] {
  if (inlineData !== undefined) return [modalityOf(inlineData.mimeType), mediaTokens];
  if (fileData !== undefined) return [modalityOf(fileData.mimeType), mediaTokens];
  if (functionCall !== undefined) return ['TEXT', countNamed(functionCall.name, functionCall.args)];
  if (functionResponse !== undefined) {
    return ['TEXT', countNamed(functionResponse.name, functionResponse.response)];
  }
  return ['TEXT', countTokens(text ?? '')];
}

function countNamed(name = '', value: object = {}): number {
  return countTokens(name) + countTokens(JSON.stringify(value));
}
