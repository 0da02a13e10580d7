import type { Finish, Reply, ScriptedToolCall } from '../../control/protocol.ts';
import { seededRandom } from '../../random.ts';
import { countTokens, firstTokens, pieceEnd } from '../../tokens.ts';
import { type Fit, fittingCalls, fittingText } from './fit.ts';
import { generateContent, generateReasoning } from './generate.ts';
import { countCompletion, obeyLimits } from './limits.ts';
import type { Prompt } from './prompt.ts';

/** A scripted reply, and the part that is added to it for a fault. */
export type ComposedReply = Reply & { readonly fit?: Fit };

/** The complete answer of the model, before a dialect renders it. */
export interface ComposedAnswer {
  /** The shown reasoning; null if none. */
  readonly reasoning: string | null;
  /** Null when the answer consists of calls alone. */
  readonly text: string | null;
  /** The text as a stream splits it. */
  readonly textDeltas: readonly string[];
  readonly calls: readonly ComposedCall[];
  readonly finish: Finish;
  /** The stop sequence that ended the text; null if there was none. */
  readonly stopSequence: string | null;
  /** Tokens of text and calls by the token rule, regardless of scripted usage. */
  readonly completionTokens: number;
  /** The tokens of the shown reasoning, which `completionTokens` includes. */
  readonly reasoningTokens: number;
}

export interface ComposedCall {
  /** As scripted; null leaves it to the dialect. */
  readonly id: string | null;
  readonly name: string;
  /** Text, usually JSON, unless scripted otherwise or cut by a limit. */
  readonly arguments: string;
  /** The arguments as a stream splits them; empty for an empty text. */
  readonly fragments: readonly string[];
}

/**
 * The model's answer: scripted or generated content, split as a stream sends it. The request's limits cut it, unless the
 * reply has `obey: false`.
 */
export function composeAnswer(prompt: Prompt, reply: ComposedReply, processSeed: number): ComposedAnswer {
  const wanted = wantedContent(prompt, reply, processSeed);
  const reasoning = reasoningOf(prompt, reply, processSeed);
  const reasoningTokens = reasoning === null ? 0 : countTokens(reasoning);
  // Thoughts are output, and reduce the limit that remains for the answer.
  const left = prompt.maxTokens === null ? null : Math.max(0, prompt.maxTokens - reasoningTokens);
  const cut =
    (reply.obey ?? true)
      ? obeyLimits(wanted, { ...prompt, maxTokens: left })
      : { ...wanted, tokens: countCompletion(wanted.text, wanted.calls), cutBy: null };
  const calls = cut.calls.map((call) => ({
    id: call.id ?? null,
    name: call.name,
    arguments: call.arguments,
    fragments: splitArguments(call.arguments, reply.argument_deltas ?? 3),
  }));
  // A scripted finish is about the whole text. If a stop sequence cuts the text, the finish is `stop`.
  const halted = cut.cutBy?.finish === 'stop' ? 'stop' : null;
  let deltas: string[] | null = null;
  const fewest = fewestDeltas(reply);
  return {
    reasoning,
    reasoningTokens,
    text: cut.text,
    // Split on demand, because only streams need it.
    get textDeltas() {
      deltas ??= splitText(cut.text ?? '', reply.fit === 'text' ? undefined : reply.deltas, processSeed);
      if (reply.deltas === undefined && deltas.length < fewest) deltas = splitEvenly(deltas.join(''), fewest);
      return deltas;
    },
    calls,
    finish: halted ?? reply.finish ?? cut.cutBy?.finish ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
    stopSequence: cut.cutBy?.stopSequence ?? null,
    completionTokens: cut.tokens + reasoningTokens,
  };
}

/** The shown reasoning: scripted, or generated within the request's limit. */
function reasoningOf(prompt: Prompt, reply: ComposedReply, processSeed: number): string | null {
  if (reply.reasoning !== undefined) return reply.reasoning;
  if (prompt.thinks !== true) return null;
  const reasoning = generateReasoning(prompt, processSeed);
  return prompt.maxTokens === null ? reasoning : firstTokens(reasoning, prompt.maxTokens);
}

function wantedContent(
  prompt: Prompt,
  reply: ComposedReply,
  processSeed: number,
): { readonly text: string | null; readonly calls: readonly ScriptedToolCall[] } {
  const text = reply.text ?? reply.deltas?.join('') ?? null;
  const calls = reply.tool_calls ?? [];
  const { fit } = reply;
  const said = text === null && calls.length === 0 ? generateContent(prompt, processSeed) : { text, calls };
  if (fit === 'text') return { ...said, text: fittingText(said.text, prompt) };
  return fit === 'tool_calls' && said.calls.length < 2
    ? { text: said.text, calls: fittingCalls(prompt) }
    : said;
}

/** Splits the text as scripted, as far as it reaches; otherwise into seeded deltas of one to four tokens. */
function splitText(text: string, scripted: readonly string[] | undefined, seed: number): string[] {
  if (scripted !== undefined) return fitDeltas(scripted, text.length);
  const random = seededRandom('split', seed, text);
  const deltas: string[] = [];
  for (let at = 0; at < text.length; ) {
    const from = at;
    for (let left = random.between(1, 4); left > 0 && at < text.length; left -= 1) at = pieceEnd(text, at);
    deltas.push(text.slice(from, at));
  }
  return deltas;
}

/** What acts after a number of deltas needs one more, or it would act elsewhere. */
function fewestDeltas({ fault, cut, hang }: ComposedReply): number {
  const counts = [fault?.after, cut?.after, hang].filter((after) => typeof after === 'number');
  return Math.max(0, ...counts) + 1;
}

/** Splits a short text into `count` deltas or a few more, as far as it has characters. */
function splitEvenly(text: string, count: number): string[] {
  const characters = [...text];
  const size = Math.max(1, Math.floor(characters.length / count));
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, at) =>
    characters.slice(at * size, (at + 1) * size).join(''),
  );
}

/** Splits the text into at most `count` non-empty fragments of nearly the same length. */
function splitArguments(text: string, count: number): string[] {
  const characters = [...text];
  const size = Math.max(1, Math.ceil(characters.length / count));
  const fragments = Math.ceil(characters.length / size);
  return Array.from({ length: fragments }, (_, at) => characters.slice(at * size, (at + 1) * size).join(''));
}

function fitDeltas(deltas: readonly string[], length: number): string[] {
  const fitting: string[] = [];
  let left = length;
  for (const delta of deltas) {
    if (delta.length > left) {
      if (left > 0) fitting.push(delta.slice(0, left));
      break;
    }
    fitting.push(delta);
    left -= delta.length;
  }
  return fitting;
}
