import { describe, expect, it } from 'vitest';
import type { UsageRecord } from '../billing/usage-record.ts';
import { delta, events, type FakeUpstream, json, type Reply } from '../testing/fake-upstream.ts';
import { askGenerate, readResponses } from '../testing/generate-content-caller.ts';
import { generateEvent } from '../testing/generate-content-upstream.ts';
import { postMessages, readMessageStream } from '../testing/messages-caller.ts';
import { blockDelta, messageEvent, textBlock } from '../testing/messages-upstream.ts';
import type { TestGateway } from '../testing/test-gateway.ts';
import { twoEndsEachTest } from '../testing/two-ends.ts';
import { type Answer, parseEvents } from '../testing/wire.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachTest((ends) => {
  ({ upstream, gateway } = ends);
});

/** What a caller makes of an answer: its text and counts, or null for a visible failure. */
type Seen = { readonly text: string; readonly prompt: number; readonly completion: number } | null;
type Ask = () => Promise<Seen>;

/** A usage of the messages protocol, added up. */
// biome-ignore-start lint/suspicious/noExplicitAny: tests look at arbitrary members of a JSON body.
const additive = (usage: any): Omit<Exclude<Seen, null>, 'text'> => ({
  prompt: usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens,
  completion: usage.output_tokens,
});
const generated = (usage: any): Omit<Exclude<Seen, null>, 'text'> => ({
  prompt: usage.promptTokenCount + (usage.toolUsePromptTokenCount ?? 0),
  completion: usage.candidatesTokenCount + (usage.thoughtsTokenCount ?? 0),
});
const common = (usage: any): Omit<Exclude<Seen, null>, 'text'> => ({
  prompt: usage.prompt_tokens,
  completion: usage.completion_tokens,
});
// biome-ignore-end lint/suspicious/noExplicitAny: end of the readers of usage.

async function askCore(model: string, stream: boolean): Promise<Seen> {
  const answer = await gateway.chat({ model, stream, messages: [{ role: 'user', content: 'hi' }] });
  if (answer.status !== 200) return null;
  if (!stream) return { text: answer.json.choices[0].message.content, ...common(answer.json.usage) };
  const { chunks } = parseEvents(answer.text);
  if (chunks.at(-1).error !== undefined) return null;
  const text = chunks.map((chunk) => chunk.choices[0].delta.content ?? '').join('');
  return { text, ...common(chunks.at(-1).usage) };
}

async function askA(model: string, stream: boolean): Promise<Seen> {
  const messages = [{ role: 'user', content: 'hi' }];
  const answer: Answer = await postMessages(gateway, { model, stream, max_tokens: 100, messages });
  if (answer.status !== 200) return null;
  const { message, error } = stream ? readMessageStream(answer.text) : { message: answer.json, error: null };
  const text = message.content.map((block: { text?: string }) => block.text ?? '').join('');
  return error === null ? { text, ...additive(message.usage) } : null;
}

async function askB(model: string, stream: boolean): Promise<Seen> {
  const answer = await askGenerate(
    gateway,
    `${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  );
  if (answer.status !== 200) return null;
  const { responses, text } = stream
    ? readResponses(answer)
    : { responses: [answer.json], text: answer.json.candidates[0].content.parts[0].text };
  const last = responses.at(-1);
  return last.error === undefined ? { text, ...generated(last.usageMetadata) } : null;
}

const models = { chat: 'delta-3', messages: 'beta-large-4-5', generate: 'gamma-3-flash' } as const;
type Dialect = keyof typeof models;

/** Each way in which a caller can ask a model of the dialect. */
function waysOf(dialect: Dialect, isStream: boolean): [name: string, ask: Ask][] {
  const model = models[dialect];
  const core: [string, Ask] = ['core', () => askCore(model, isStream)];
  if (dialect === 'messages') return [core, ['compat A', () => askA(model, isStream)]];
  return dialect === 'generate' ? [core, ['compat B', () => askB(model, isStream)]] : [core];
}

/** What everybody gets: the text, prompt and completion tokens, and what the record is in doubt about. */
interface Wanted {
  readonly text: string;
  readonly counts: readonly [prompt: number, completion: number, cached?: number];
  readonly doubts?: readonly string[];
}

const row = (name: string, dialect: Dialect, replies: { plain?: Reply; stream?: Reply }, wanted: Wanted) =>
  ({ name, dialect, replies, wanted }) as const;

const chunk = (usage: unknown, choices: unknown = []): string =>
  `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices, usage })}\n\n`;
const done = 'data: [DONE]\n\n';
const completed = (content: unknown, usage: unknown, finish: unknown = 'stop', more: object = {}): Reply =>
  json(200, {
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: finish }],
    usage,
    ...more,
  });
const streamed = (pieces: readonly string[]): Reply => events([...pieces, done]);
const texts = (...all: string[]): string[] => all.map((content) => delta({ content }));

const start = (usage: unknown): string =>
  messageEvent('message_start', { message: { id: 'm', role: 'assistant', content: [], usage } });
const end = (usage: unknown, reason: unknown = 'end_turn'): string =>
  messageEvent('message_delta', { delta: { stop_reason: reason, stop_sequence: null }, usage });
const stop = messageEvent('message_stop');
const messaged = (pieces: readonly string[]): Reply => events([...pieces, stop]);
const message = (usage: unknown, reason: unknown = 'end_turn'): Reply =>
  json(200, {
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text: 'Salt' }],
    stop_reason: reason,
    usage,
  });

const part = (text: string | null, finishReason: string | null, usageMetadata?: object): object => ({
  candidates: [
    {
      content: { role: 'model', parts: text === null ? [] : [{ text }] },
      ...(finishReason !== null && { finishReason }),
    },
  ],
  ...(usageMetadata && { usageMetadata }),
});
const responses = (...all: object[]): Reply => events(all.map(generateEvent));

const besideR = {
  prompt_tokens: 61,
  completion_tokens: 8,
  total_tokens: 240,
  completion_tokens_details: { reasoning_tokens: 171 },
};
const beyond = {
  prompt_tokens: 40,
  completion_tokens: 3,
  total_tokens: 43,
  prompt_tokens_details: { cached_tokens: 90 },
};
const hits = {
  prompt_tokens: 40,
  completion_tokens: 3,
  total_tokens: 43,
  prompt_cache_hit_tokens: 32,
  prompt_cache_miss_tokens: 8,
};
const insideT = {
  promptTokenCount: 40,
  candidatesTokenCount: 30,
  thoughtsTokenCount: 20,
  totalTokenCount: 70,
};
const besideT = { ...insideT, totalTokenCount: 90 };
const small = { promptTokenCount: 40, candidatesTokenCount: 3, totalTokenCount: 43 };
const counted = { prompt_tokens: 40, completion_tokens: 3, total_tokens: 43 };
const cachedStart = {
  input_tokens: 10,
  cache_read_input_tokens: 700,
  cache_creation_input_tokens: 300,
  output_tokens: 2,
};

const rows = [
  row(
    'reasoning beside the completion',
    'chat',
    {
      plain: completed('Salt', besideR),
      stream: streamed([...texts('Salt'), delta({}, 'stop'), chunk(besideR)]),
    },
    { text: 'Salt', counts: [61, 179] },
  ),
  row(
    'cached tokens beyond the prompt',
    'chat',
    {
      plain: completed('Salt', beyond),
      stream: streamed([...texts('Salt'), delta({}, 'stop'), chunk(beyond)]),
    },
    { text: 'Salt', counts: [40, 3, 40], doubts: ['cached'] },
  ),
  row(
    'a cache that is told by its hits',
    'chat',
    { plain: completed('Salt', hits), stream: streamed([...texts('Salt'), delta({}, 'stop'), chunk(hits)]) },
    { text: 'Salt', counts: [40, 3, 32] },
  ),
  row(
    'counts of zero behind the counts',
    'chat',
    {
      stream: streamed([
        ...texts('Salt'),
        chunk(counted, [{ index: 0, delta: {}, finish_reason: 'stop' }]),
        chunk({ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }),
      ]),
    },
    { text: 'Salt', counts: [40, 3] },
  ),
  row(
    'counts that grow with each chunk',
    'chat',
    {
      stream: streamed(
        [1, 2, 3].map((n) =>
          chunk({ ...counted, completion_tokens: n, total_tokens: 40 + n }, [
            { index: 0, delta: { content: 'a' }, finish_reason: n === 3 ? 'stop' : null },
          ]),
        ),
      ),
    },
    { text: 'aaa', counts: [40, 3] },
  ),
  row(
    'counts beside the last chunk',
    'chat',
    {
      stream: streamed([
        ...texts('Salt'),
        `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], x_groq: { usage: counted } })}\n\n`,
      ]),
    },
    { text: 'Salt', counts: [40, 3] },
  ),
  row(
    'an end on every piece',
    'chat',
    { stream: streamed([...['Sa', 'l', 't'].map((content) => delta({ content }, 'stop')), chunk(counted)]) },
    { text: 'Salt', counts: [40, 3] },
  ),
  row(
    'an end before the text',
    'chat',
    { stream: streamed([delta({ role: 'assistant' }, 'stop'), ...texts('Sa', 'lt'), chunk(counted)]) },
    { text: 'Salt', counts: [40, 3] },
  ),
  row(
    'an end mark before the text',
    'chat',
    { stream: events([delta({ content: '' }, 'stop'), done, ...texts('Sa', 'lt'), chunk(counted)]) },
    { text: 'Salt', counts: [40, 3] },
  ),
  row(
    'an end word of another dialect',
    'chat',
    {
      plain: completed('Salt', counted, 'end_turn'),
      stream: streamed([...texts('Salt'), delta({}, 'end_turn'), chunk(counted)]),
    },
    { text: 'Salt', counts: [40, 3] },
  ),
  row(
    'nulls everywhere',
    'chat',
    {
      plain: completed(
        'Salt',
        { ...counted, prompt_tokens_details: null, completion_tokens_details: null },
        'stop',
        { error: null, service_tier: null },
      ),
      stream: streamed([
        chunk(null, null),
        delta({ role: null, content: null, tool_calls: null, refusal: null }),
        ...texts('Salt'),
        chunk(null, [{ index: 0, delta: null, finish_reason: 'stop' }]),
        chunk(counted),
      ]),
    },
    { text: 'Salt', counts: [40, 3] },
  ),
  row(
    'a total that is no sum',
    'chat',
    {
      plain: completed('Salt', { ...counted, total_tokens: 99 }),
      stream: streamed([...texts('Salt'), delta({}, 'stop'), chunk({ ...counted, total_tokens: 99 })]),
    },
    { text: 'Salt', counts: [40, 3], doubts: ['total'] },
  ),
  row(
    'no counts',
    'chat',
    { plain: completed('Salt', null), stream: streamed([...texts('Salt'), delta({}, 'stop')]) },
    { text: 'Salt', counts: [0, 0], doubts: ['missing'] },
  ),
  row(
    'input of zero at the end',
    'messages',
    {
      stream: messaged([
        start({ input_tokens: 820, output_tokens: 1 }),
        ...textBlock(0, ['Salt']),
        end({ input_tokens: 0, output_tokens: 6 }),
      ]),
    },
    { text: 'Salt', counts: [820, 6] },
  ),
  row(
    'a cache of zero at the end',
    'messages',
    {
      stream: messaged([
        start(cachedStart),
        ...textBlock(0, ['Salt']),
        end({
          input_tokens: 0,
          cache_read_input_tokens: 0,
          cache_creation_input_tokens: 0,
          output_tokens: 6,
        }),
      ]),
    },
    { text: 'Salt', counts: [1010, 6, 700] },
  ),
  row(
    'all input as one count at the end',
    'messages',
    {
      stream: messaged([
        start(cachedStart),
        ...textBlock(0, ['Salt']),
        end({ input_tokens: 1010, output_tokens: 6 }),
      ]),
    },
    { text: 'Salt', counts: [1010, 6, 700] },
  ),
  row(
    'no input before the end',
    'messages',
    {
      stream: messaged([
        start({ input_tokens: 0, output_tokens: 0 }),
        ...textBlock(0, ['Salt']),
        end({ input_tokens: 820, output_tokens: 6 }),
      ]),
    },
    { text: 'Salt', counts: [820, 6] },
  ),
  row(
    'a smaller input at the end',
    'messages',
    {
      stream: messaged([
        start({ input_tokens: 820, output_tokens: 1 }),
        ...textBlock(0, ['Salt']),
        end({ input_tokens: 800, output_tokens: 6 }),
      ]),
    },
    { text: 'Salt', counts: [820, 6], doubts: ['restated'] },
  ),
  row(
    'the names of another dialect',
    'messages',
    { plain: message({ prompt_tokens: 820, completion_tokens: 6 }) },
    { text: 'Salt', counts: [820, 6] },
  ),
  row(
    'an end before the text',
    'messages',
    {
      stream: messaged([
        start({ input_tokens: 820, output_tokens: 1 }),
        end({ output_tokens: 6 }),
        ...textBlock(0, ['Sa', 'lt']),
      ]),
    },
    { text: 'Salt', counts: [820, 6] },
  ),
  row(
    'an end behind every block',
    'messages',
    {
      stream: messaged([
        start({ input_tokens: 820, output_tokens: 1 }),
        ...textBlock(0, ['Sa']),
        end({ output_tokens: 3 }),
        ...textBlock(1, ['lt']),
        end({ output_tokens: 6 }),
      ]),
    },
    { text: 'Salt', counts: [820, 6] },
  ),
  row(
    'a text without blocks',
    'messages',
    {
      stream: messaged([
        start({ input_tokens: 820, output_tokens: 1 }),
        blockDelta(0, { type: 'text_delta', text: 'Salt' }),
        end({ output_tokens: 6 }),
      ]),
    },
    { text: 'Salt', counts: [820, 6] },
  ),
  row(
    'an end on every piece',
    'generate',
    { stream: responses(...['Sa', 'l', 't'].map((text) => part(text, 'STOP', small))) },
    { text: 'Salt', counts: [40, 3] },
  ),
  row(
    'ends before the text',
    'generate',
    {
      stream: responses(
        part(null, 'STOP'),
        part(null, 'STOP'),
        part('Salt', null),
        part(null, 'STOP', small),
      ),
    },
    { text: 'Salt', counts: [40, 3] },
  ),
  row(
    'an end before the text and none behind',
    'generate',
    { stream: responses(part(null, 'STOP', small), part('Sa', null), part('lt', null)) },
    { text: 'Salt', counts: [40, 3] },
  ),
  row(
    'thoughts inside the candidates',
    'generate',
    {
      plain: json(200, part('Salt', 'STOP', insideT)),
      stream: responses(part('Salt', null), part(null, 'STOP', insideT)),
    },
    { text: 'Salt', counts: [40, 30] },
  ),
  row(
    'thoughts beside the candidates',
    'generate',
    {
      plain: json(200, part('Salt', 'STOP', besideT)),
      stream: responses(part('Salt', null), part(null, 'STOP', besideT)),
    },
    { text: 'Salt', counts: [40, 50] },
  ),
  row(
    'counts of zero at the end',
    'generate',
    {
      stream: responses(
        part('Sa', null, { promptTokenCount: 40 }),
        part('lt', null, small),
        part(null, 'STOP', { promptTokenCount: 0, candidatesTokenCount: 0, totalTokenCount: 0 }),
      ),
    },
    { text: 'Salt', counts: [40, 3] },
  ),
  row(
    'a cache beyond the prompt',
    'generate',
    {
      plain: json(200, part('Salt', 'STOP', { ...small, cachedContentTokenCount: 70 })),
      stream: responses(part('Salt', null), part(null, 'STOP', { ...small, cachedContentTokenCount: 70 })),
    },
    { text: 'Salt', counts: [40, 3, 40], doubts: ['cached'] },
  ),
];

const cases = rows.flatMap(({ name, dialect, replies, wanted }) =>
  (['plain', 'stream'] as const).flatMap((form) => {
    const reply = replies[form];
    if (reply === undefined) return [];
    return waysOf(dialect, form === 'stream').map(([way, ask]) => ({
      title: `${dialect}, ${name}, ${form}, ${way}`,
      reply,
      ask,
      wanted,
    }));
  }),
);

describe('an answer whose upstream contradicts itself is whole, and billed by what is consistent:', () => {
  it.for(cases.map((one) => [one.title, one] as const))('%s', async ([, { reply, ask, wanted }]) => {
    upstream.fallback = reply;
    const { text, counts, doubts } = wanted;
    const [prompt, completion, cached = 0] = counts;
    expect(await ask()).toEqual({ text, prompt, completion });
    const [record] = gateway.records as [UsageRecord];
    expect(record).toMatchObject({
      outcome: 'success',
      prompt_tokens: BigInt(prompt),
      completion_tokens: BigInt(completion),
      cached_tokens: BigInt(cached),
    });
    expect('doubts' in record.price ? record.price.doubts : undefined).toEqual(doubts);
  });
});

describe('an answer that its upstream gave up is visibly none, and costs what was counted:', () => {
  const words = ['error', 'abort', 'ERROR', 'cancelled', 'network_error', 'engine_failure'];
  const failures = [
    ...words.map(
      (word) => [`chat, ${word}, plain`, models.chat, false, completed('Sa', counted, word)] as const,
    ),
    ...words.map(
      (word) =>
        [
          `chat, ${word}, stream`,
          models.chat,
          true,
          streamed([...texts('Sa'), delta({}, word), chunk(counted)]),
        ] as const,
    ),
    [
      'messages, error, plain',
      models.messages,
      false,
      message({ input_tokens: 40, output_tokens: 3 }, 'error'),
    ] as const,
    [
      'messages, error, stream',
      models.messages,
      true,
      messaged([
        start({ input_tokens: 40, output_tokens: 1 }),
        ...textBlock(0, ['Sa']),
        end({ output_tokens: 3 }, 'error'),
      ]),
    ] as const,
    ['generate, OTHER, plain', models.generate, false, json(200, part('Sa', 'OTHER', small))] as const,
    [
      'generate, OTHER, stream',
      models.generate,
      true,
      responses(part('Sa', null), part(null, 'OTHER', small)),
    ] as const,
    ['chat, no word, stream', models.chat, true, streamed([...texts('Sa'), chunk(counted)])] as const,
    ['chat, null, plain', models.chat, false, completed('Sa', counted, null)] as const,
    [
      'generate, a break after an end on every piece, stream',
      models.generate,
      true,
      events([generateEvent(part('Sa', 'STOP', small))], 'reset'),
    ] as const,
  ];
  it.for(failures)('%s', async ([, model, stream, reply]) => {
    upstream.fallback = reply;
    expect(await askCore(model, stream)).toBeNull();
    expect(gateway.records.map(({ outcome }) => outcome)).toEqual(['upstream_error']);
  });
});

it('contradictory counts are no failures of their channel', async () => {
  upstream.fallback = completed('Salt', beyond);
  for (let n = 0; n < 12; n += 1) expect(await askCore(models.chat, false)).not.toBeNull();
  expect(gateway.logLines.filter(({ msg }) => msg === 'breaker')).toEqual([]);
});

it('two entries of one chunk for one call are one call', async () => {
  const entries = [
    { index: 0, id: 'c1', type: 'function', function: { name: 'tide', arguments: '' } },
    { index: 0, id: null, function: { name: null, arguments: '{"at":' } },
  ];
  const rest = { index: 0, id: 'c1', function: { arguments: '"noon"}' } };
  upstream.fallback = streamed([
    delta({ tool_calls: entries }),
    delta({ tool_calls: [rest] }, 'tool_calls'),
    chunk(counted),
  ]);
  const tools = [{ type: 'function', function: { name: 'tide' } }];
  const answer = await gateway.chat({
    model: models.chat,
    stream: true,
    tools,
    messages: [{ role: 'user', content: 'hi' }],
  });
  const deltas = parseEvents(answer.text).chunks.flatMap(({ choices }) => choices[0].delta.tool_calls ?? []);
  expect(deltas.filter(({ id }) => id !== undefined)).toMatchObject([
    { index: 0, id: 'c1', function: { name: 'tide' } },
  ]);
  expect(deltas.map(({ function: called }) => called.arguments).join('')).toBe('{"at":"noon"}');
});
