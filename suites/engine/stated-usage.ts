import type { UsageCounts } from '../oracle/price.ts';
import { isJsonObject, parseJson } from '../values/json.ts';
import { type Exchange, jsonOf, mediaType } from '../wire/exchange.ts';
import { readSse } from '../wire/sse.ts';

type Json = Readonly<Record<string, unknown>>;

/** More tokens than any model's context window, so a larger count is an upstream fault, not a price. */
const mostTokens = 4_000_000;

/** Approximate bytes of a request per token. */
const bytesPerToken = 4;

/**
 * The token counts of a served chat call, as its answer states them in the protocol of its path, whatever its faults. An
 * answer without counts (a caller that left, a stream that broke) counts by the length of its request.
 */
export function statedUsage(exchange: Exchange): UsageCounts {
  const stated = statements(exchange);
  const usage: Json = Object.assign({}, ...stated);
  const tokens = (...names: string[]): number =>
    names.reduce((sum, name) => sum + credible(memberAt(usage, name)), 0);
  const cached = tokens(
    'prompt_tokens_details.cached_tokens',
    'cache_read_input_tokens',
    'cachedContentTokenCount',
  );
  const hour = tokens('cache_creation.ephemeral_1h_input_tokens');
  const written = Math.max(0, tokens('cache_creation_input_tokens') - hour);
  const beside = usage.input_tokens === undefined ? 0 : cached + written + hour;
  const prompt = tokens('prompt_tokens', 'input_tokens', 'promptTokenCount') + beside;
  return {
    prompt_tokens:
      stated.length > 0
        ? Math.max(prompt, cached + written + hour)
        : Math.min(mostTokens, Math.ceil(exchange.request.body.length / bytesPerToken)),
    completion_tokens: tokens(
      'completion_tokens',
      'output_tokens',
      'candidatesTokenCount',
      'thoughtsTokenCount',
    ),
    cached_tokens: cached,
    cache_write_5m_tokens: written,
    cache_write_1h_tokens: hour,
  };
}

/** Every object of counts in the answer, in order: later ones replace members of earlier ones. */
function statements(exchange: Exchange): Json[] {
  const found = bodiesOf(exchange).flatMap((body) => [
    body.usage,
    body.usageMetadata,
    memberAt(body, 'message.usage'),
  ]);
  return found.filter(isJsonObject);
}

function bodiesOf(exchange: Exchange): Json[] {
  if (mediaType(exchange) !== 'text/event-stream') {
    const body = jsonOf(exchange);
    return (Array.isArray(body) ? body : [body]).filter(isJsonObject);
  }
  const { events } = readSse(exchange.response?.body ?? Buffer.alloc(0));
  return events
    .filter(({ data }) => data.includes('"usage'))
    .map(({ data }) => parseJson(data))
    .filter(isJsonObject);
}

function memberAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((inner, name) => (isJsonObject(inner) ? inner[name] : undefined), value);
}

function credible(count: unknown): number {
  return Number.isSafeInteger(count) && Number(count) >= 0 && Number(count) <= mostTokens ? Number(count) : 0;
}
