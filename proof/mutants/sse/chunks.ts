import type { Body } from '../../../suites/rewrite/json.ts';
import type { Mutation } from '../../../suites/rewrite/mutation.ts';
import { choiceOf, deltaOf, inChunks, recount, usageOf } from '../../edits/chat-edits.ts';
import { front, type Mutant } from '../../edits/mutant.ts';

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
function nth(place: number, change: (chunk: Body) => Body[]): Mutation {
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

/** Streams with one defect in a chunk. */
export const sseChunkMutants: readonly Mutant[] = [
  front(
    [
      'sse.error-event-in-passing',
      'an error event appears in a stream that then continues',
      'SSE-003',
      'no-error-event',
    ],
    inChunks((chunk, index) => (index === 1 ? [{ error: { message: 'busy' } }, chunk] : undefined)),
  ),
  chunks('sse.object-plain', 'object is that of a plain answer', 'SSE-003', 'chunk-shape', (chunk) => {
    chunk.object = 'chat.completion';
  }),
  chunks(
    'sse.message-for-delta',
    'chunks have message in the place of delta',
    'SSE-004',
    'chunk-shape',
    (chunk) => {
      const choice = choiceOf(chunk);
      choice.message = choice.delta;
      delete choice.delta;
    },
  ),
  front(
    ['sse.choices-empty', 'a chunk without choices comes in the middle', 'SSE-004', 'choices-in-chunk'],
    inChunks((chunk, index) => (index === 1 ? [{ ...chunk, choices: [] }, chunk] : undefined)),
  ),
  chunks(
    'sse.no-role',
    'no delta has the role',
    'SSE-005',
    'role-first',
    (chunk) => void delete deltaOf(chunk).role,
  ),
  chunks('sse.role-of-user', 'the role is user', 'SSE-005', 'chunk-shape', (chunk) => {
    if (deltaOf(chunk).role !== undefined) deltaOf(chunk).role = 'user';
  }),
  chunks('sse.content-list', 'fragments are lists of blocks', 'SSE-006', 'chunk-shape', (chunk) => {
    const delta = deltaOf(chunk);
    if (delta.content) delta.content = [{ type: 'text', text: delta.content }];
  }),
  chunks('sse.content-elsewhere', 'fragments are in delta.text', 'SSE-006', 'text-in-fragments', (chunk) => {
    const delta = deltaOf(chunk);
    if (typeof delta.content !== 'string') return;
    delta.text = delta.content;
    delete delta.content;
  }),
  chunks(
    'sse.usage-missing',
    'a stream has no usage',
    'SSE-009',
    'usage-on-final-chunk',
    (chunk) => void delete chunk.usage,
  ),
  chunks('sse.usage-partial', 'usage in a stream has the total alone', 'SSE-009', 'chunk-shape', (chunk) => {
    const usage = usageOf(chunk);
    if (usage !== null) chunk.usage = { total_tokens: usage.total_tokens };
  }),
  chunks('sse.usage-everywhere', 'every chunk has usage', 'SSE-010', 'usage-once', (chunk) => {
    chunk.usage ??= { prompt_tokens: 9, completion_tokens: 0, total_tokens: 9 };
  }),
  chunks(
    'sse.cached-dropped',
    'cached_tokens is not reported in streams',
    'SSE-011',
    'cached-verbatim',
    (chunk) => {
      delete usageOf(chunk)?.prompt_tokens_details;
    },
  ),
  chunks('sse.finish-missing', 'a stream has no finish_reason', 'SSE-012', 'finish-once', (chunk) => {
    choiceOf(chunk).finish_reason = null;
  }),
  front(
    ['sse.finish-early', 'the finish_reason comes before the text', 'SSE-012', 'finish-last'],
    inChunks((chunk, index) => {
      choiceOf(chunk).finish_reason = index === 0 ? 'stop' : null;
      return undefined;
    }),
  ),
  chunks(
    'sse.native-finish',
    'the finish_reason of a stream is a native word',
    'SSE-012',
    'chunk-shape',
    (chunk) => {
      if (choiceOf(chunk).finish_reason === 'stop') choiceOf(chunk).finish_reason = 'eos';
    },
  ),
  front(
    ['sse.id-by-chunk', 'each chunk has an id of its own', 'SSE-013', 'one-id'],
    inChunks((chunk, index) => [{ ...chunk, id: `${chunk.id}-${index}` }]),
  ),
  chunks('sse.id-missing', 'chunks have no id', 'SSE-013', 'chunk-shape', (chunk) => void delete chunk.id),
  chunks('sse.id-constant', 'all streams have the same id', 'SSE-013', 'distinct-ids', (chunk) => {
    chunk.id = 'chatcmpl-stream';
  }),
  front(
    ['sse.created-by-chunk', 'created counts on from chunk to chunk', 'SSE-014', 'one-created-and-model'],
    inChunks((chunk, index) => [{ ...chunk, created: Number(chunk.created) + index }]),
  ),
];

/** Changes every chunk of a stream. */
export function chunks(
  id: string,
  title: string,
  requirement: string,
  aspect: string,
  edit: (chunk: Body) => void,
): Mutant {
  const mutation = inChunks((chunk) => {
    edit(chunk);
    return undefined;
  });
  return front([id, title, requirement, aspect], mutation);
}
