import { describe, expect, it } from 'vitest';
import type { UsageRecord } from '../billing/usage-record.ts';
import { delta, events, type FakeUpstream, json, type Reply } from '../testing/fake-upstream.ts';
import { askGenerate, readResponses } from '../testing/generate-content-caller.ts';
import { generateEvent } from '../testing/generate-content-upstream.ts';
import { postMessages, readMessageStream } from '../testing/messages-caller.ts';
import { messageEvent, textBlock } from '../testing/messages-upstream.ts';
import type { TestGateway } from '../testing/test-gateway.ts';
import { twoEndsEachTest } from '../testing/two-ends.ts';
import { type Answer, parseEvents } from '../testing/wire.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachTest((ends) => {
  ({ upstream, gateway } = ends);
});

/** The caller's view of an answer: its text and counts, or null for a visible failure. */
type Seen = { readonly text: string; readonly prompt: number; readonly completion: number } | null;
type Ask = () => Promise<Seen>;

/** The total prompt and completion tokens of a messages usage. */
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

/** Each API through which a caller can use a model of the dialect. */
function waysOf(dialect: Dialect, isStream: boolean): [name: string, ask: Ask][] {
  const model = models[dialect];
  const core: [string, Ask] = ['core', () => askCore(model, isStream)];
  if (dialect === 'messages') return [core, ['compat A', () => askA(model, isStream)]];
  return dialect === 'generate' ? [core, ['compat B', () => askB(model, isStream)]] : [core];
}

/** The expected result for every API: text, prompt and completion tokens, and the recorded doubts. */
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
const messaged = (pieces: readonly string[]): Reply => events([...pieces, messageEvent('message_stop')]);

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

const beyond = {
  prompt_tokens: 40,
  completion_tokens: 3,
  total_tokens: 43,
  prompt_tokens_details: { cached_tokens: 90 },
};
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
    'cached tokens beyond the prompt',
    'chat',
    {
      plain: completed('Salt', beyond),
      stream: streamed([...texts('Salt'), delta({}, 'stop'), chunk(beyond)]),
    },
    { text: 'Salt', counts: [40, 3, 40], doubts: ['cached'] },
  ),
  row(
    'an end mark before the text',
    'chat',
    { stream: events([delta({ content: '' }, 'stop'), done, ...texts('Sa', 'lt'), chunk(counted)]) },
    { text: 'Salt', counts: [40, 3] },
  ),
  row(
    'counts behind the end mark, and more text there',
    'chat',
    { stream: events([...texts('Salt'), delta({}, 'stop'), done, ...texts('y'), chunk(counted)], 'hang') },
    { text: 'Salt', counts: [40, 3] },
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
    'an end on every piece',
    'generate',
    { stream: responses(...['Sa', 'l', 't'].map((text) => part(text, 'STOP', small))) },
    { text: 'Salt', counts: [40, 3] },
  ),
  row(
    'an end before the text and none behind',
    'generate',
    { stream: responses(part(null, 'STOP', small), part('Sa', null), part('lt', null)) },
    { text: 'Salt', counts: [40, 3] },
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

describe('an answer with contradictory counts is complete, and billed by the consistent ones:', () => {
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

describe('an answer that its upstream abandoned fails visibly, and is charged for the counted tokens:', () => {
  const failures = [
    ...['ERROR', 'engine_failure'].flatMap((word) => {
      const frames = [...texts('Sa'), delta({}, word), chunk(counted)];
      return [
        [`chat, ${word}, plain`, models.chat, false, completed('Sa', counted, word)] as const,
        [`chat, ${word}, stream`, models.chat, true, streamed(frames)] as const,
      ];
    }),
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

it('waits a moment for counts behind the end mark, and ends without them', async () => {
  upstream.fallback = events([...texts('Salt'), delta({}, 'stop'), done], 'hang');
  const asked = askCore(models.chat, true);
  await upstream.waitFor(1);
  expect(await asked).toEqual({ text: 'Salt', prompt: 0, completion: 0 });
  expect(gateway.records).toMatchObject([{ outcome: 'success', usage_known: false }]);
});

it('contradictory counts do not count as channel failures', async () => {
  upstream.fallback = completed('Salt', beyond);
  for (let n = 0; n < 12; n += 1) expect(await askCore(models.chat, false)).not.toBeNull();
  expect(gateway.logLines.filter(({ msg }) => msg === 'breaker')).toEqual([]);
});
