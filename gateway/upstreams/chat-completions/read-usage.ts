import { isObject, type JsonObject } from '../../http/parse-json.ts';
import type { Usage } from '../outcome.ts';
import { countIn, isOtherTotal, optionalCountIn, reasoningIn } from '../read-count.ts';

/**
 * Reads the counts of a native `usage` object. Null when it has none or only those of one side; undefined when it
 * is invalid. Some servers use the names of a newer API of the same vendor. Cached tokens and reasoning are
 * included in the counts (faults M8 and M9).
 */
export function readUsage(native: unknown): Usage | null | undefined {
  if (native === undefined || native === null) return null;
  if (!isObject(native)) return undefined;
  const {
    prompt_tokens: prompt = native.input_tokens,
    completion_tokens: completion = native.output_tokens,
  } = native;
  if ((prompt ?? null) === null || (completion ?? null) === null) return null;
  const promptTokens = countIn(prompt);
  const completionTokens = countIn(completion);
  const cachedTokens = optionalCountIn(cachedIn(native));
  if (promptTokens === null || completionTokens === null || cachedTokens === null) return undefined;
  if (cachedTokens > promptTokens) return undefined;
  const isDoubtful = isOtherTotal(native.total_tokens, promptTokens + completionTokens);
  return {
    promptTokens,
    completionTokens,
    cachedTokens,
    // These upstreams do not report cache writes; they cost nothing extra.
    cacheWrite5mTokens: 0,
    cacheWrite1hTokens: 0,
    ...reasoningIn(reasoningOf(native), completionTokens),
    ...(isDoubtful && { doubt: 'total' }),
  };
}

/** The usage of a chunk: at its top level, or with some servers in the choice or beside it (fault P12). */
export function usageIn({ usage, choices, x_groq: beside }: JsonObject): unknown {
  if (usage !== undefined && usage !== null) return usage;
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  if (isObject(choice) && isObject(choice.usage)) return choice.usage;
  return isObject(beside) ? beside.usage : undefined;
}

function reasoningOf(native: JsonObject): unknown {
  const { completion_tokens_details: details = native.output_tokens_details } = native;
  return isObject(details) ? details.reasoning_tokens : undefined;
}

function cachedIn({ prompt_tokens_details: details, input_tokens_details: others }: JsonObject): unknown {
  if (isObject(details)) return details.cached_tokens;
  return isObject(others) ? others.cached_tokens : undefined;
}
