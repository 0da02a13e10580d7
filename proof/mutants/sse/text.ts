import type { Body } from '../../../suites/rewrite/json.ts';
import type { Mutation } from '../../../suites/rewrite/mutation.ts';
import { choiceOf, deltaOf, inChunks, recount } from '../../edits/chat-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front } from '../../edits/mutant.ts';
import { chunks } from './chunks.ts';

/** Streams whose fragments do not join to the text. */
export const sseTextMutants: readonly Mutant[] = [
  joins(
    'sse.fragment-lost',
    'the second fragment is lost',
    nth(2, () => []),
  ),
  chunks('sse.calls-renamed', 'streamed calls have another name', 'SSE-007', 'same-calls', (chunk) => {
    const calls = deltaOf(chunk).tool_calls as { function?: { name?: string } }[] | undefined;
    for (const call of calls ?? [])
      if (call.function?.name) call.function.name = `tool_${call.function.name}`;
  }),
  chunks('sse.finish-differs', 'a stream that is cut says stop', 'SSE-007', 'same-finish', (chunk) => {
    if (choiceOf(chunk).finish_reason === 'length') choiceOf(chunk).finish_reason = 'stop';
  }),
  chunks('sse.usage-differs', 'a stream costs more than the plain answer', 'SSE-007', 'same-usage', (chunk) =>
    recount(chunk, ({ prompt_tokens = 0 }) => ({ prompt_tokens: prompt_tokens + 2 })),
  ),
];

function joins(id: string, title: string, mutation: Mutation): Mutant {
  return front([id, title, 'SSE-007', 'fragments-join'], mutation);
}

/** Changes the n-th fragment of text, counted from 1. */
export function nth(place: number, change: (chunk: Body) => Body[]): Mutation {
  return {
    events: (request) => {
      let count = 0;
      const counted = inChunks((chunk) => {
        if (!deltaOf(chunk).content) return undefined;
        count += 1;
        return count === place ? change(chunk) : undefined;
      });
      return counted.events?.(request) ?? ((event) => (event === null ? [] : [event]));
    },
  };
}
