import type { Mutant } from '../mutant.ts';
import { editRequest, type Mutation, objectIn } from '../mutation.ts';
import {
  choiceOf,
  deltaOf,
  inChunks,
  inEvents,
  type Json,
  recount,
  refragment,
  refusing,
  usageOf,
} from './edits.ts';

const wireMutants: readonly Mutant[] = [
  {
    id: 'sse.no-streams',
    title: 'streams are refused',
    requirement: 'SSE-001',
    aspect: 'accepts-stream',
    kind: 'front',
    mutation: refusing((body) => body.stream === true),
  },
  {
    id: 'sse.text-plain',
    title: 'a stream is declared as text/plain',
    requirement: 'SSE-001',
    aspect: 'stream-content-type',
    kind: 'front',
    mutation: { streamHead: (head) => ({ ...head, headers: [['content-type', 'text/plain']] }) },
  },
  events(
    'sse.bare-json',
    'events are lines of JSON without their field',
    'SSE-002',
    'stream-grammar',
    (event) => [event.replace('data: ', '')],
  ),
  events('sse.broken-json', 'a chunk is no JSON', 'SSE-002', 'payload-json', (event) => [
    event.replace(/\}$/, ''),
  ]),
  events('sse.no-done', '[DONE] is left out', 'SSE-008', 'done-last-once', (event) =>
    event === 'data: [DONE]' ? [] : [event],
  ),
  events('sse.done-twice', '[DONE] is sent twice', 'SSE-008', 'done-last-once', (event) =>
    event === 'data: [DONE]' ? [event, event] : [event],
  ),
  {
    id: 'sse.chunk-after-done',
    title: 'a chunk follows after [DONE]',
    requirement: 'SSE-008',
    aspect: 'done-last-once',
    kind: 'front',
    mutation: { events: () => repeatLastChunk() },
  },
  {
    id: 'sse.stays-open',
    title: 'the answer stays open after [DONE]',
    requirement: 'SSE-008',
    aspect: 'ends-after-done',
    kind: 'source',
    file: 'gateway/http/send-events.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text.
    find: 'exchange.outgoing.end(`${lastEvents}',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text.
    replace: 'exchange.outgoing.write(`${lastEvents}',
  },
  {
    id: 'sse.collected',
    title: 'a stream is kept back until it is complete',
    requirement: 'SSE-018',
    aspect: 'delta-by-delta',
    kind: 'front',
    mutation: { withhold: true },
  },
  {
    id: 'sse.one-late',
    title: 'each event is kept back until the next one is there',
    requirement: 'SSE-018',
    aspect: 'delta-by-delta',
    kind: 'front',
    mutation: { events: () => oneLate() },
  },
];

const chunkMutants: readonly Mutant[] = [
  {
    id: 'sse.error-event-in-passing',
    title: 'an error event stands in a stream that goes on well',
    requirement: 'SSE-003',
    aspect: 'no-error-event',
    kind: 'front',
    mutation: inChunks((chunk, index) => (index === 1 ? [{ error: { message: 'busy' } }, chunk] : undefined)),
  },
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
  {
    id: 'sse.choices-empty',
    title: 'a chunk without choices comes in the middle',
    requirement: 'SSE-004',
    aspect: 'choices-in-chunk',
    kind: 'front',
    mutation: inChunks((chunk, index) => (index === 1 ? [{ ...chunk, choices: [] }, chunk] : undefined)),
  },
  chunks(
    'sse.no-role',
    'no delta has the role',
    'SSE-005',
    'role-first',
    (chunk) => void delete deltaOf(chunk).role,
  ),
  chunks('sse.role-late', 'the role comes with the last chunk', 'SSE-005', 'role-first', (chunk) => {
    const delta = deltaOf(chunk);
    if (choiceOf(chunk).finish_reason) delta.role = 'assistant';
    else delete delta.role;
  }),
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
  {
    id: 'sse.usage-first',
    title: 'usage comes with the first chunk in the place of the last',
    requirement: 'SSE-009',
    aspect: 'usage-on-final-chunk',
    kind: 'front',
    mutation: inChunks((chunk, index) => {
      delete chunk.usage;
      if (index === 0) chunk.usage = { prompt_tokens: 9, completion_tokens: 9, total_tokens: 18 };
      return undefined;
    }),
  },
  chunks('sse.usage-partial', 'usage in a stream has the total alone', 'SSE-009', 'chunk-shape', (chunk) => {
    const usage = usageOf(chunk);
    if (usage !== null) chunk.usage = { total_tokens: usage.total_tokens };
  }),
  chunks('sse.usage-everywhere', 'every chunk has usage', 'SSE-010', 'usage-once', (chunk) => {
    chunk.usage ??= { prompt_tokens: 9, completion_tokens: 0, total_tokens: 9 };
  }),
  chunks(
    'sse.total-off-by-one',
    'total_tokens in a stream is one too many',
    'RESP-020',
    'total-is-sum',
    (chunk) => {
      const usage = usageOf(chunk);
      if (usage !== null) usage.total_tokens = (usage.total_tokens ?? 0) + 1;
    },
  ),
  chunks(
    'sse.counts-itself',
    'the gateway counts the tokens of streams itself',
    'SSE-011',
    'verbatim',
    (chunk) => recount(chunk, ({ completion_tokens = 0 }) => ({ completion_tokens: completion_tokens + 1 })),
  ),
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
  {
    id: 'sse.finish-twice',
    title: 'the finish_reason is sent twice',
    requirement: 'SSE-012',
    aspect: 'finish-once',
    kind: 'front',
    mutation: inChunks((chunk) => {
      const { usage: _, ...before } = chunk;
      return choiceOf(chunk).finish_reason ? [before, chunk] : undefined;
    }),
  },
  {
    id: 'sse.finish-early',
    title: 'the finish_reason comes before the text',
    requirement: 'SSE-012',
    aspect: 'finish-last',
    kind: 'front',
    mutation: inChunks((chunk, index) => {
      choiceOf(chunk).finish_reason = index === 0 ? 'stop' : null;
      return undefined;
    }),
  },
  chunks(
    'sse.native-finish',
    'the finish_reason of a stream is a native word',
    'SSE-012',
    'chunk-shape',
    (chunk) => {
      if (choiceOf(chunk).finish_reason === 'stop') choiceOf(chunk).finish_reason = 'eos';
    },
  ),
  {
    id: 'sse.id-by-chunk',
    title: 'each chunk has an id of its own',
    requirement: 'SSE-013',
    aspect: 'one-id',
    kind: 'front',
    mutation: inChunks((chunk, index) => [{ ...chunk, id: `${chunk.id}-${index}` }]),
  },
  chunks('sse.id-missing', 'chunks have no id', 'SSE-013', 'chunk-shape', (chunk) => void delete chunk.id),
  chunks('sse.id-constant', 'all streams have the same id', 'SSE-013', 'distinct-ids', (chunk) => {
    chunk.id = 'chatcmpl-stream';
  }),
  {
    id: 'sse.created-by-chunk',
    title: 'created counts on from chunk to chunk',
    requirement: 'SSE-014',
    aspect: 'one-created-and-model',
    kind: 'front',
    mutation: inChunks((chunk, index) => [{ ...chunk, created: Number(chunk.created) + index }]),
  },
];

const textMutants: readonly Mutant[] = [
  joins(
    'sse.fragment-lost',
    'the second fragment is lost',
    nth(2, () => []),
  ),
  joins(
    'sse.fragment-repeated',
    'the second fragment is repeated',
    nth(2, (chunk) => [chunk, chunk]),
  ),
  joins(
    'sse.fragments-trimmed',
    'fragments are trimmed',
    refragment((text) => text.trim()),
  ),
  joins('sse.first-space-lost', 'white space before the text is lost', nth(1, trimStart)),
  joins(
    'sse.halves-replaced',
    'half a character is replaced',
    refragment((text) => text.toWellFormed()),
  ),
  joins(
    'sse.controls-dropped',
    'line ends are dropped',
    refragment((text) => text.replaceAll('\n', '')),
  ),
  joins(
    'sse.latin',
    'UTF-8 is read as Latin-1',
    refragment((text) => Buffer.from(text, 'utf8').toString('latin1')),
  ),
  {
    id: 'sse.bytes-apart',
    title: 'each read of the upstream is decoded for itself',
    requirement: 'SSE-007',
    aspect: 'fragments-join',
    kind: 'source',
    file: 'gateway/upstreams/event-parser.ts',
    find: 'decoder.decode(bytes, { stream: true })',
    replace: 'Buffer.from(bytes).toString()',
  },
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

const formMutants: readonly Mutant[] = [
  {
    id: 'sse.error-as-stream',
    title: 'a request for a stream is refused by a stream with an error event',
    requirement: 'SSE-015',
    aspect: 'plain-error',
    kind: 'front',
    mutation: {
      answer: (answer, request) =>
        objectIn(request.body)?.stream === true && answer.status >= 400
          ? {
              status: 200,
              headers: [['content-type', 'text/event-stream']],
              body: Buffer.from(`data: ${answer.body.toString('utf8')}\n\ndata: [DONE]\n\n`),
            }
          : answer,
    },
  },
  form('sse.stream-ignored', 'stream is ignored', (body) => void delete body.stream),
  form('sse.always-streams', 'every answer is a stream', (body) => Object.assign(body, { stream: true })),
  {
    id: 'sse.accept-decides',
    title: 'the Accept header decides whether the answer is a stream',
    requirement: 'SSE-019',
    aspect: 'form-follows-flag',
    kind: 'front',
    mutation: {
      request: (request) => {
        const accept = request.headers.find(([name]) => name.toLowerCase() === 'accept')?.[1];
        const stream = accept === 'text/event-stream';
        return editRequest((body) => Object.assign(body, { stream }))(request);
      },
    },
  },
  {
    id: 'sse.json-mode-dropped',
    title: 'response_format does not hold for streams',
    requirement: 'SSE-021',
    aspect: 'content-parses',
    kind: 'front',
    mutation: {
      request: editRequest((body) => {
        if (body.stream === true) delete body.response_format;
      }),
    },
  },
  {
    id: 'sse.json-fenced',
    title: 'a streamed JSON document is wrapped in a fence',
    requirement: 'SSE-021',
    aspect: 'content-parses',
    kind: 'front',
    mutation: nth(1, (chunk) => {
      deltaOf(chunk).content = `\`\`\`json\n${deltaOf(chunk).content}`;
      return [chunk];
    }),
  },
];

const failureMutants: readonly Mutant[] = [
  failure('sse.failure-hidden', 'a stream that breaks just ends', 'visible', () => []),
  failure('sse.failure-as-stop', 'a stream that breaks ends in stop', 'no-false-ending', () => [goodEnd]),
  failure('sse.failure-then-text', 'text follows after the error', 'no-text-after-error', (event) => [
    event,
    moreText,
  ]),
  failure('sse.failure-run-again', 'what breaks is run again from its start', 'no-rerun', (event) => [
    moreText,
    event,
  ]),
  failure('sse.failure-shapeless', 'the error event is a text', 'error-event-shape', () => [
    'data: {"error":"upstream went away"}',
  ]),
  failure('sse.failure-blames-caller', 'the error event blames the caller', 'error-event-type', () => [
    'data: {"error":{"type":"auth_error","code":"invalid_api_key","message":"No.","channel":null,"param":null}}',
  ]),
  failure('sse.failure-raw', "the error event repeats the upstream's words", 'no-raw-text', (event) => [
    event.replace(/"message":"[^"]*"/, '"message":"upstream said: kernel panic on node sim-77"'),
  ]),
  {
    id: 'sse.garbage-skipped',
    title: 'an event of the upstream that cannot be read is skipped',
    requirement: 'SSE-016',
    aspect: 'no-false-ending',
    kind: 'source',
    file: 'gateway/upstreams/chat-completions/stream.ts',
    find: "if (!isObject(chunk)) return this.#broken('an event is no JSON object');",
    replace: 'if (!isObject(chunk)) return null;',
  },
  {
    id: 'sse.unfinished-as-stop',
    title: 'an upstream stream that just ends counts as ended well',
    requirement: 'SSE-016',
    aspect: 'no-false-ending',
    kind: 'source',
    file: 'gateway/upstreams/chat-completions/stream.ts',
    find: "if (this.#finish === null) return failure('unusable', 'the stream ended without finish_reason');",
    replace: "this.#finish ??= 'stop';",
  },
  {
    id: 'sse.waits-for-ever',
    title: 'there is no limit to the silence of an upstream',
    requirement: 'SSE-016',
    aspect: 'stall-ends',
    kind: 'source',
    file: 'gateway/upstreams/call.ts',
    find: 'return this.#clock.schedule(Math.max(0, ms), () => {',
    replace: 'return this.#clock.schedule(ms + 10 ** 9, () => {',
  },
];

export const sseMutants: readonly Mutant[] = [
  ...wireMutants,
  ...chunkMutants,
  ...textMutants,
  ...formMutants,
  ...failureMutants,
];

function chunks(
  id: string,
  title: string,
  requirement: string,
  aspect: string,
  edit: (chunk: Json) => void,
): Mutant {
  const mutation = inChunks((chunk) => {
    edit(chunk);
    return undefined;
  });
  return { id, title, requirement, aspect, kind: 'front', mutation };
}

function events(
  id: string,
  title: string,
  requirement: string,
  aspect: string,
  edit: (event: string) => readonly string[],
): Mutant {
  return { id, title, requirement, aspect, kind: 'front', mutation: inEvents(edit) };
}

function joins(id: string, title: string, mutation: Mutation): Mutant {
  return { id, title, requirement: 'SSE-007', aspect: 'fragments-join', kind: 'front', mutation };
}

function form(id: string, title: string, edit: (body: Json) => void): Mutant {
  const mutation = { request: editRequest(edit) };
  return { id, title, requirement: 'SSE-019', aspect: 'form-follows-flag', kind: 'front', mutation };
}

/** Changes the error event of a stream that fails. */
function failure(
  id: string,
  title: string,
  aspect: string,
  edit: (event: string) => readonly string[],
): Mutant {
  const mutation = inEvents((event) => (event.startsWith('data: {"error"') ? edit(event) : [event]));
  return { id, title, requirement: 'SSE-016', aspect, kind: 'front', mutation };
}

/** Changes the n-th fragment of text, counted from 1. */
function nth(place: number, change: (chunk: Json) => Json[]): Mutation {
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

function trimStart(chunk: Json): Json[] {
  deltaOf(chunk).content = String(deltaOf(chunk).content).trimStart();
  return [chunk];
}

function oneLate(): (event: string | null) => readonly string[] {
  let held: string | null = null;
  return (event) => {
    const before = held;
    held = event;
    return before === null ? [] : [before];
  };
}

function repeatLastChunk(): (event: string | null) => readonly string[] {
  let last = '';
  return (event) => {
    if (event === null) return [last];
    if (event !== 'data: [DONE]') last = event;
    return [event];
  };
}

const chunkHead = '{"id":"chatcmpl-broken","object":"chat.completion.chunk","created":1,"model":"m"';
const goodEnd = `data: ${chunkHead},"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":9,"total_tokens":18}}`;
const moreText = `data: ${chunkHead},"choices":[{"index":0,"delta":{"content":"and on"},"finish_reason":null}]}`;
