import { invalidParam } from '../errors/gateway-error.ts';
import type { CacheHint } from './cache-hint.ts';
import type { ChatFields } from './chat-schema.ts';

/** Maximum of cache hints in a request for upstreams that honour them (B-29). */
const maxHints = 4;

interface Place {
  readonly hint: CacheHint | null | undefined;
  readonly param: string;
}

/** Rules between cache hints: not too many, and no long-lived one after a short-lived one in prompt order. */
export function checkCacheHints(fields: ChatFields): void {
  const hinted = [...toolPlaces(fields), ...messagePlaces(fields)].filter((place) => place.hint != null);
  const surplus = hinted[maxHints];
  if (surplus !== undefined) {
    throw invalidParam(surplus.param, `There may be at most ${maxHints} cache marks.`);
  }
  const short = hinted.findIndex(({ hint }) => hint?.ttl !== '1h');
  const late = short === -1 ? undefined : hinted.slice(short).find(({ hint }) => hint?.ttl === '1h');
  if (late !== undefined) {
    throw invalidParam(late.param, 'A mark of 1h may not come after one of 5m; tools come before messages.');
  }
}

function toolPlaces({ tools }: ChatFields): Place[] {
  return (tools ?? []).map((tool, i) => ({ hint: tool.cache_control, param: `tools[${i}].cache_control` }));
}

function messagePlaces({ messages }: ChatFields): Place[] {
  return messages.flatMap(({ content }, m) =>
    Array.isArray(content)
      ? content.map((block, b) => ({
          hint: block.cache_control,
          param: `messages[${m}].content[${b}].cache_control`,
        }))
      : [],
  );
}
