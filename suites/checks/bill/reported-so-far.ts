import type { UpstreamRequest } from '../../engine/upstream-request.ts';
import type { NativeCounts } from '../../generators/native/answer.ts';

type Json = Readonly<Record<string, unknown>>;

/** The upstream's count in the bytes sent so far; null before it reports any. */
export function reportedSoFar({ entry }: UpstreamRequest): NativeCounts | null {
  const text = Buffer.from(entry.reply.body_base64, 'base64').toString('utf8');
  const events = text.split('\n').flatMap((line) => {
    const data = /^data: ?(\{.*\})\r?$/.exec(line)?.[1];
    return data === undefined ? [] : [JSON.parse(data) as Json];
  });
  const usages = events.flatMap((event) => objectsIn([event.usage, memberOf(event.message, 'usage')]));
  const native = objectsIn(events.map((event) => event.usageMetadata)).at(-1);
  if (native !== undefined) return fromGenerateContent(native);
  // A later report replaces an earlier one member by member.
  const usage: Json = Object.assign({}, ...usages);
  if (usages.length === 0) return null;
  return 'input_tokens' in usage ? fromMessages(usage) : fromChatCompletions(usage);
}

function fromMessages(usage: Json): NativeCounts {
  const [read, written] = [count(usage.cache_read_input_tokens), count(usage.cache_creation_input_tokens)];
  return {
    prompt_tokens: count(usage.input_tokens) + read + written,
    completion_tokens: count(usage.output_tokens),
    cached_tokens: read,
    cache_write_tokens: written,
    cache_write_1h_tokens: count(memberOf(usage.cache_creation, 'ephemeral_1h_input_tokens')),
  };
}

function fromGenerateContent(usage: Json): NativeCounts {
  return {
    prompt_tokens: count(usage.promptTokenCount),
    completion_tokens: count(usage.candidatesTokenCount) + count(usage.thoughtsTokenCount),
    cached_tokens: count(usage.cachedContentTokenCount),
  };
}

function fromChatCompletions(usage: Json): NativeCounts {
  return {
    prompt_tokens: count(usage.prompt_tokens),
    completion_tokens: count(usage.completion_tokens),
    cached_tokens: count(memberOf(usage.prompt_tokens_details, 'cached_tokens')),
  };
}

function count(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

function memberOf(value: unknown, name: string): unknown {
  return objectsIn([value])[0]?.[name];
}

function objectsIn(values: readonly unknown[]): Json[] {
  return values.filter((value): value is Json => value !== null && typeof value === 'object');
}
