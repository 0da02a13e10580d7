import type { Finish, Reply, ScriptedToolCall } from '../../control/protocol.ts';
import { seededHex, seededId, seededRandom } from '../../random.ts';
import { countTokens, cutIntoPieces, firstTokens } from '../../tokens.ts';
import { generateContent } from './generate.ts';
import { type ChatRequest, maxTokensOf, stopsOf } from './request.ts';
import { countCompletion, countPrompt, type NativeUsage, renderUsage } from './usage.ts';

/** An answer of the model, complete, before it is written plain or as a stream. */
export interface Completion {
  readonly id: string;
  /** Seconds since the epoch. */
  readonly created: number;
  readonly model: string;
  readonly fingerprint: string;
  /** Null when the answer is calls alone. */
  readonly text: string | null;
  /** The text as a stream splits it. */
  readonly textDeltas: readonly string[];
  readonly calls: readonly CompletionCall[];
  readonly finish: Finish;
  readonly usage: NativeUsage;
}

export interface CompletionCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  /** The arguments as a stream splits them. */
  readonly fragments: readonly string[];
}

/** What identifies an answer; ids are seeded by it and never by time. */
export interface Identity {
  readonly seed: number;
  readonly lane: string;
  readonly channel: string;
  readonly n: number;
  readonly nowMs: number;
}

export function composeCompletion(request: ChatRequest, reply: Reply, identity: Identity): Completion {
  const { seed, lane, channel, n, nowMs } = identity;
  const wanted = wantedContent(request, reply, seed);
  const cut = (reply.obey ?? true) ? obeyLimits(wanted, request) : { ...wanted, finish: null };
  const calls = cut.calls.map((call, at) => ({
    ...call,
    id: call.id ?? `call_${seededId(24, seed, lane, channel, n, at)}`,
    fragments: splitArguments(call.arguments, reply.argument_deltas ?? 3),
  }));
  const counted = {
    prompt_tokens: countPrompt(request),
    completion_tokens: countCompletion(cut.text, calls),
  };
  return {
    id: `chatcmpl-${seededId(29, seed, lane, channel, n)}`,
    created: Math.floor(nowMs / 1000),
    model: reply.model ?? request.model,
    fingerprint: `fp_${seededHex(10, seed, request.model)}`,
    text: cut.text,
    textDeltas: splitText(cut.text ?? '', reply.deltas, seed),
    calls,
    finish: reply.finish ?? cut.finish ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
    usage: renderUsage(reply.usage ?? counted),
  };
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

interface WantedContent {
  readonly text: string | null;
  readonly calls: readonly ScriptedToolCall[];
}

function wantedContent(request: ChatRequest, reply: Reply, seed: number): WantedContent {
  const text = reply.text ?? reply.deltas?.join('') ?? null;
  const calls = reply.tool_calls ?? [];
  if (text === null && calls.length === 0) return generateContent(request, seed);
  return { text, calls };
}

/** Stops before the earliest stop sequence, then keeps as many tokens as were asked for. */
function obeyLimits(wanted: WantedContent, request: ChatRequest): WantedContent & { finish: Finish | null } {
  const { text, stopped } = haltAtStop(wanted.text, stopsOf(request));
  // A model that has stopped makes no calls any more.
  const calls = stopped ? [] : wanted.calls;
  const limit = maxTokensOf(request);
  if (limit === null || countCompletion(text, calls) <= limit) {
    return { text, calls, finish: stopped ? 'stop' : null };
  }
  const kept = text === null ? null : firstTokens(text, limit);
  return { text: kept, calls: firstCalls(calls, limit - countTokens(kept ?? '')), finish: 'length' };
}

function haltAtStop(
  text: string | null,
  stops: readonly string[],
): { text: string | null; stopped: boolean } {
  if (text === null) return { text, stopped: false };
  const places = stops.map((stop) => (stop === '' ? -1 : text.indexOf(stop))).filter((at) => at !== -1);
  return places.length === 0
    ? { text, stopped: false }
    : { text: text.slice(0, Math.min(...places)), stopped: true };
}

/** The calls that fit; the last one may have its arguments cut. A name is never cut. */
function firstCalls(calls: readonly ScriptedToolCall[], limit: number): ScriptedToolCall[] {
  const kept: ScriptedToolCall[] = [];
  let left = limit;
  for (const call of calls) {
    left -= countTokens(call.name);
    if (left < 0) break;
    const args = firstTokens(call.arguments, left);
    kept.push({ ...call, arguments: args });
    left -= countTokens(args);
    if (args !== call.arguments) break;
  }
  return kept;
}

/** The scripted split, as far as the text goes; else one to four tokens a delta, seeded. */
function splitText(text: string, scripted: readonly string[] | undefined, seed: number): string[] {
  if (scripted !== undefined) return fitDeltas(scripted, text.length);
  const pieces = cutIntoPieces(text);
  const random = seededRandom('split', seed, text);
  const deltas: string[] = [];
  for (let at = 0; at < pieces.length; ) {
    const size = random.between(1, 4);
    deltas.push(pieces.slice(at, at + size).join(''));
    at += size;
  }
  return deltas;
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

/** At most `count` fragments of nearly the same length, none of them empty. */
function splitArguments(text: string, count: number): string[] {
  const characters = [...text];
  const size = Math.max(1, Math.ceil(characters.length / count));
  const fragments = Math.ceil(characters.length / size);
  return Array.from({ length: fragments }, (_, at) => characters.slice(at * size, (at + 1) * size).join(''));
}
