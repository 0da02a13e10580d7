import type { ScriptedToolCall } from '../../control/protocol.ts';
import { countTokens, firstTokens } from '../../tokens.ts';
import type { Prompt } from './prompt.ts';

export interface Content {
  readonly text: string | null;
  readonly calls: readonly ScriptedToolCall[];
}

/** Content within the limits of its request, and which limit cut it, if any. */
export interface LimitedContent extends Content {
  /** Tokens of the remaining content. */
  readonly tokens: number;
  readonly cutBy:
    | { readonly finish: 'stop'; readonly stopSequence: string }
    | { readonly finish: 'length'; readonly stopSequence: null }
    | null;
}

/** Cuts the content before the earliest stop sequence, then to the token limit of the request. */
export function obeyLimits(wanted: Content, { stops, maxTokens }: Prompt): LimitedContent {
  const { text, stopSequence } = enforceStops(wanted.text, stops);
  // After a stop sequence the model makes no more calls.
  const calls = stopSequence === null ? wanted.calls : [];
  const tokens = countCompletion(text, calls);
  if (maxTokens === null || tokens <= maxTokens) {
    return { text, calls, tokens, cutBy: stopSequence === null ? null : { finish: 'stop', stopSequence } };
  }
  const kept = text === null ? null : firstTokens(text, maxTokens);
  const left = firstCalls(calls, maxTokens - countTokens(kept ?? ''));
  return {
    text: kept,
    calls: left,
    tokens: countCompletion(kept, left),
    cutBy: { finish: 'length', stopSequence: null },
  };
}

/** Counts what the model produced: its text, and the names and arguments of its calls. */
export function countCompletion(
  text: string | null,
  calls: readonly { name: string; arguments: string }[],
): number {
  const called = calls.reduce((sum, call) => sum + countTokens(call.name) + countTokens(call.arguments), 0);
  return countTokens(text ?? '') + called;
}

function enforceStops(
  text: string | null,
  stops: readonly string[],
): { text: string | null; stopSequence: string | null } {
  if (text === null || stops.length === 0) return { text, stopSequence: null };
  const [first] = stops
    .map((stop) => ({ stop, at: stop === '' ? -1 : text.indexOf(stop) }))
    .filter(({ at }) => at !== -1)
    .toSorted((one, other) => one.at - other.at);
  return first === undefined
    ? { text, stopSequence: null }
    : { text: text.slice(0, first.at), stopSequence: first.stop };
}

/** The calls that fit the limit. The last one may have its arguments cut, but never its name. */
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
