import type { TenantControl } from 'gatecheck-simulators/client';
import OpenAI, { type APIError, AuthenticationError, BadRequestError, NotFoundError } from 'openai';
import { beforeEach, describe, expect, it } from 'vitest';
import { lastAtUpstream } from './testing/at-upstream.ts';
import { errorOf } from './testing/error-of.ts';
import { stackEachFile } from './testing/stack-each-file.ts';

/** The official client of the common schema, unmodified, on one model of each family: three native dialects behind one face. */
let upstream: TenantControl;
let client: OpenAI;

stackEachFile(({ stack: { baseUrl, profile }, upstream: tenant }) => {
  upstream = tenant;
  client = new OpenAI({ baseURL: `${baseUrl}/api/v1`, apiKey: profile.keys.K1, maxRetries: 0 });
});

beforeEach(() => upstream.reset());

const families = ['alpha-5-2', 'beta-large-4-5', 'gamma-3-pro', 'delta-3'] as const;

type Messages = OpenAI.ChatCompletionMessageParam[];
const ask = (content: string): Messages => [{ role: 'user', content }];

const tools: OpenAI.ChatCompletionTool[] = ['look_up', 'spell'].map((name) => ({
  type: 'function',
  function: {
    name,
    description: 'Does something with a word.',
    parameters: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
  },
}));
const made = [
  { name: 'look_up', arguments: '{"word":"sea"}' },
  { name: 'spell', arguments: '{"word":"wave"}' },
];

function callsOf(
  message: OpenAI.ChatCompletionMessage | undefined,
): OpenAI.ChatCompletionMessageFunctionToolCall[] {
  return (message?.tool_calls ?? []).flatMap((call) => (call.type === 'function' ? [call] : []));
}

describe.each(families)('on %s the client', (model) => {
  it('completes', async () => {
    await upstream.script({ replies: [{ text: 'Hello there. 🌊' }] });
    const completion = await client.chat.completions.create({ model, messages: ask('Say hello.') });
    expect(completion.choices[0]?.message.content).toBe('Hello there. 🌊');
    expect(completion.choices[0]?.finish_reason).toBe('stop');
    expect(completion.model).toBe(model);
    expect(completion.usage?.total_tokens).toBeGreaterThan(0);
  });

  it('streams, and receives usage without requesting it', async () => {
    await upstream.script({ replies: [{ deltas: ['One ', 'two ', 'three.'] }] });
    const stream = await client.chat.completions.create({ model, messages: ask('Count.'), stream: true });
    let text = '';
    let total = 0;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? '';
      total = chunk.usage?.total_tokens ?? total;
    }
    expect(text).toBe('One two three.');
    expect(total).toBeGreaterThan(0);
  });

  it.each([false, true])('calls two tools in parallel and answers them (streamed: %s)', async (stream) => {
    await upstream.script({ replies: [{ tool_calls: made }, { text: 'The sea, w-a-v-e.' }] });
    const messages = ask('Look the sea up and spell wave.');
    const first = stream
      ? await client.chat.completions.stream({ model, messages, tools }).finalChatCompletion()
      : await client.chat.completions.create({ model, messages, tools });
    const turn = first.choices[0];
    const calls = callsOf(turn?.message);
    expect(turn?.finish_reason).toBe('tool_calls');
    expect(calls.map((call) => [call.function.name, JSON.parse(call.function.arguments)])).toEqual(
      made.map((call) => [call.name, JSON.parse(call.arguments)]),
    );
    expect(new Set(calls.map((call) => call.id)).size).toBe(2);
    if (turn === undefined) throw new Error('no turn arrived');
    const results: Messages = calls
      .toReversed()
      .map((call) => ({ role: 'tool', tool_call_id: call.id, content: `result of ${call.function.name}` }));
    const second = await client.chat.completions.create({
      model,
      messages: [...messages, turn.message, ...results],
      tools,
    });
    expect(second.choices[0]?.message.content).toBe('The sea, w-a-v-e.');
    const seen = await lastAtUpstream(upstream);
    for (const { name } of made) expect(seen).toContain(`result of ${name}`);
  });
});

it('the client raises its own typed error for each refusal, with the error code', async () => {
  const stranger = client.withOptions({ apiKey: 'sk-app-unknown' });
  const [model, messages] = ['alpha-5-2', ask('Say hello.')];
  const cases: [() => Promise<unknown>, unknown, string][] = [
    [
      () => client.chat.completions.create({ model, messages, temperature: 3 }),
      BadRequestError,
      'invalid_param',
    ],
    [
      () => client.chat.completions.create({ model: 'no-such-model', messages }),
      NotFoundError,
      'model_not_found',
    ],
    [() => stranger.chat.completions.create({ model, messages }), AuthenticationError, 'invalid_api_key'],
  ];
  for (const [work, kind, code] of cases) {
    const error = await errorOf(work());
    expect(error).toBeInstanceOf(kind);
    expect((error as APIError).code).toBe(code);
  }
});
