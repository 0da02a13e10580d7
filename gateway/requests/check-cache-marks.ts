import { invalidParam } from '../errors/gateway-error.ts';
import type { CacheMark } from './cache-mark.ts';
import type { ChatFields } from './chat-schema.ts';

/** What the upstreams of models that honour marks take in one request (B-29). */
const maxMarks = 4;

interface Place {
  readonly mark: CacheMark | null | undefined;
  readonly param: string;
}

/** Rules between cache marks: not too many, and no long-lived one behind a short-lived one in the order of the prompt. */
export function checkCacheMarks(fields: ChatFields): void {
  const marked = [...toolPlaces(fields), ...messagePlaces(fields)].filter((place) => place.mark != null);
  const surplus = marked[maxMarks];
  if (surplus !== undefined) {
    throw invalidParam(surplus.param, `There may be at most ${maxMarks} cache marks.`);
  }
  const short = marked.findIndex(({ mark }) => mark?.ttl !== '1h');
  const late = short === -1 ? undefined : marked.slice(short).find(({ mark }) => mark?.ttl === '1h');
  if (late !== undefined) {
    throw invalidParam(late.param, 'A mark of 1h may not come after one of 5m; tools come before messages.');
  }
}

function toolPlaces({ tools }: ChatFields): Place[] {
  return (tools ?? []).map((tool, i) => ({ mark: tool.cache_control, param: `tools[${i}].cache_control` }));
}

function messagePlaces({ messages }: ChatFields): Place[] {
  return messages.flatMap(({ content }, m) =>
    Array.isArray(content)
      ? content.map((block, b) => ({
          mark: block.cache_control,
          param: `messages[${m}].content[${b}].cache_control`,
        }))
      : [],
  );
}
