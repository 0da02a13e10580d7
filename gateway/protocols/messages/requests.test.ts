import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FakeUpstream, json } from '../../testing/fake-upstream.ts';
import { ASKED, MESSAGES_HEAD, postMessages } from '../../testing/messages-caller.ts';
import { message } from '../../testing/messages-upstream.ts';
import { ADMIN_TOKEN, KEY, OTHER_KEY, type TestGateway } from '../../testing/test-gateway.ts';
import { twoEndsEachFile } from '../../testing/two-ends.ts';
import { read } from '../../testing/wire.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachFile((started) => {
  ({ upstream, gateway } = started);
  upstream.fallback = message('Hello');
});

const said = (...content: unknown[]): object => ({ ...ASKED, messages: [{ role: 'user', content }] });
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } };
const text = { type: 'text', text: 'a' };
const refusal = (code: string, param: string | null) => ({
  type: 'error',
  error: { type: expect.any(String), code, message: expect.any(String), channel: null, param },
});

describe('a request in the messages protocol', () => {
  it('goes on word for word, but for its model, under the credential of the upstream', async () => {
    const body = {
      ...ASKED,
      system: [{ type: 'text', text: 's', cache_control: { type: 'ephemeral', ttl: '1h' } }],
      messages: [
        { role: 'user', content: [text, image] },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 't', signature: 'sig' },
            { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: [1] } },
          ],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'toolu_1', is_error: true, content: [text, image] }],
        },
      ],
      tools: [
        { name: 'f', input_schema: { type: 'object' } },
        { type: 'web_search_20250305', name: 'web_search' },
      ],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
      thinking: { type: 'enabled', budget_tokens: 1024 },
      top_k: 3,
      stop_sequences: ['END', 'FIN'],
      metadata: { user_id: 'u' },
      stream: false,
      unheard_of: { x: null },
    };
    expect((await postMessages(gateway, body)).status).toBe(200);
    const { stream: _stream, ...rest } = body;
    expect(upstream.seen[0]).toMatchObject({
      path: '/v1/messages',
      headers: { 'x-api-key': 'upstream-secret', 'anthropic-version': '2023-06-01' },
    });
    expect(upstream.seen[0]?.body).toEqual({ ...rest, model: 'native-beta-large-4-5' });
  });

  it('keeps every digit of its numbers', async () => {
    const body = `{"model":"beta-large-4-5","max_tokens":100,"messages":[{"role":"user","content":"hi"}],"x":{"n":12345678901234567890,"e":1.50e2}}`;
    await postMessages(gateway, body);
    expect(upstream.seen[0]?.text).toContain('"x":{"n":12345678901234567890,"e":1.50e2}');
  });

  it('of any legal form goes on as it is', async () => {
    const mark = fc.constantFrom({}, { cache_control: { type: 'ephemeral' } }, { cache_control: null });
    const word = fc.string({ minLength: 1, maxLength: 6 });
    const unknown = fc
      .tuple(word, fc.jsonValue({ maxDepth: 2 }))
      .map(([name, value]) => ({ [`x_${name}`]: value }));
    const block = fc
      .tuple(
        fc.oneof(
          word.map((said) => ({ type: 'text', text: said })),
          fc.constant(image),
          word.map((url) => ({ type: 'document', source: { type: 'url', url } })),
          fc.record({
            type: fc.constant('tool_result'),
            tool_use_id: word,
            content: fc.oneof(word, fc.constant([text])),
          }),
          fc.record({
            type: fc.constant('tool_use'),
            id: word,
            name: word,
            input: fc.dictionary(word, fc.jsonValue()),
          }),
          word.map((type) => ({ type: `x_${type}` })),
        ),
        mark,
        unknown,
      )
      .map((parts) => Object.assign({}, ...parts));
    const turn = fc.record({
      role: fc.constantFrom('user', 'assistant'),
      content: fc.oneof(word, fc.array(block, { maxLength: 3 })),
    });
    const body = fc
      .tuple(
        fc.record({
          messages: fc.array(turn, { minLength: 1, maxLength: 4 }),
          max_tokens: fc.integer({ min: 1, max: 200 }),
        }),
        fc.record(
          {
            system: fc.oneof(word, fc.constant([text])),
            temperature: fc.double({ min: 0, max: 1, noNaN: true }),
            stop_sequences: fc.array(word, { maxLength: 6 }),
            tools: fc.array(fc.record({ name: word, input_schema: fc.constant({ type: 'object' }) }), {
              maxLength: 2,
            }),
            tool_choice: fc.constantFrom({ type: 'auto' }, { type: 'none' }, { type: 'tool', name: 'f' }),
          },
          { requiredKeys: [] },
        ),
        unknown,
      )
      .map((parts) => JSON.parse(JSON.stringify({ model: ASKED.model, ...Object.assign({}, ...parts) })));
    await fc.assert(
      fc.asyncProperty(body, async (given) => {
        upstream.seen.length = 0;
        expect((await postMessages(gateway, given)).status).toBe(200);
        expect(upstream.seen[0]?.body).toEqual({ ...given, model: 'native-beta-large-4-5' });
      }),
      { numRuns: 60 },
    );
  });

  it('may hold system turns, which join the system prompt behind its own, marks kept (B-93)', async () => {
    const marked = { type: 'text', text: 'c', cache_control: { type: 'ephemeral' } };
    const messages = [
      { role: 'system', content: 'b' },
      { role: 'user', content: 'hi' },
      { role: 'system', content: [marked] },
    ];
    await postMessages(gateway, { ...ASKED, system: 'a', messages });
    await postMessages(gateway, { ...ASKED, messages: messages.slice(0, 2) });
    expect(upstream.seen.map(({ body }) => body)).toMatchObject([
      { system: [text, { type: 'text', text: 'b' }, marked], messages: [messages[1]] },
      { system: [{ type: 'text', text: 'b' }], messages: [messages[1]] },
    ]);
  });

  it.for<[string, object, string]>([
    ['no messages', { ...ASKED, messages: undefined }, 'messages'],
    ['an empty list of messages', { ...ASKED, messages: [] }, 'messages'],
    ['nothing but system turns', { ...ASKED, messages: [{ role: 'system', content: 'a' }] }, 'messages'],
    ['no max_tokens', { ...ASKED, max_tokens: undefined }, 'max_tokens'],
    ['no whole max_tokens', { ...ASKED, max_tokens: 1.5 }, 'max_tokens'],
    ['a max_tokens of zero', { ...ASKED, max_tokens: 0 }, 'max_tokens'],
    [
      'another role',
      { ...ASKED, messages: [ASKED.messages[0], { role: 'tool', content: 'a' }] },
      'messages[1].role',
    ],
    ['no content', { ...ASKED, messages: [{ role: 'user' }] }, 'messages[0].content'],
    ['a text that is none', said(text, { type: 'text', text: 5 }), 'messages[0].content[1].text'],
    ['a block without a type', said({ text: 'a' }), 'messages[0].content[0].type'],
    ['an image without a source', said({ type: 'image' }), 'messages[0].content[0].source'],
    [
      'a fault inside a result',
      said({ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text' }] }),
      'messages[0].content[0].content[0].text',
    ],
    [
      'a result of nothing',
      said({ type: 'tool_result', content: 'a' }),
      'messages[0].content[0].tool_use_id',
    ],
    ['a system prompt of an image', { ...ASKED, system: [image] }, 'system[0].type'],
    ['a temperature above two', { ...ASKED, temperature: 2.5 }, 'temperature'],
    ['a stop that is no text', { ...ASKED, stop_sequences: ['a', 1] }, 'stop_sequences[1]'],
    ['a stream that is no flag', { ...ASKED, stream: 'yes' }, 'stream'],
    ['a tool without a schema', { ...ASKED, tools: [{ name: 'f' }] }, 'tools[0].input_schema'],
    ['another tool choice', { ...ASKED, tool_choice: { type: 'maybe' } }, 'tool_choice.type'],
    ['a label that is no text', { ...ASKED, metadata: { user_id: 1 } }, 'metadata.user_id'],
    ['no model', { ...ASKED, model: undefined }, 'model'],
    ['two faults, the first of them', { top_p: 7, ...ASKED, temperature: 'hot' }, 'top_p'],
  ])('with %s is refused in its own words', async ([, body, param]) => {
    const answer = await postMessages(gateway, body);
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual(refusal('invalid_param', param));
    expect(upstream.seen).toEqual([]);
  });

  it.for<[string, object, string]>([
    ['an image', said(text, image), 'messages[0].content[1]'],
    [
      'an image by its file',
      said({ type: 'image', source: { type: 'file', file_id: 'f' } }),
      'messages[0].content[0]',
    ],
    [
      'a document',
      said({ type: 'document', source: { type: 'url', url: 'https://e.org/x' } }),
      'messages[0].content[0]',
    ],
    [
      'an image in the result of a tool',
      {
        ...ASKED,
        messages: [
          { role: 'system', content: 's' },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: [text, image] }] },
        ],
      },
      'messages[1].content[0].content[1]',
    ],
  ])('with %s is refused where the model sees nothing', async ([, body, param]) => {
    const answer = await postMessages(gateway, { ...body, model: 'beta-small-4-5' });
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual(refusal('unsupported_capability', param));
    expect((await postMessages(gateway, body)).status).toBe(200);
  });

  it('for more tokens than the window is too long, and so is a prompt that the upstream counts so', async () => {
    const more = await postMessages(gateway, { ...ASKED, max_tokens: 200_001 });
    expect(more.json).toEqual(refusal('context_too_long', 'max_tokens'));
    upstream.count = json(200, { input_tokens: 200_000 });
    const long = { ...ASKED, system: 'word '.repeat(60_000) };
    const counted = await postMessages(gateway, { ...long, tools: [] });
    expect(counted.json).toEqual(refusal('context_too_long', 'messages'));
    expect(upstream.counted[0]?.body).toEqual({
      model: 'native-beta-large-4-5',
      system: long.system,
      messages: ASKED.messages,
      tools: [],
    });
  });

  it.for(['alpha-5-2', 'gamma-3-pro', 'delta-3', 'beta-none', 'BETA-LARGE-4-5'])(
    'for %s asks for no model of this path (B-95)',
    async (model) => {
      const answer = await postMessages(gateway, { ...ASKED, model });
      expect(answer.status).toBe(404);
      expect(answer.json).toEqual(refusal('model_not_found', 'model'));
    },
  );

  it('of an account without the model asks for none', async () => {
    const answer = await postMessages(gateway, ASKED, { ...MESSAGES_HEAD, 'x-api-key': OTHER_KEY });
    expect(answer.json).toEqual(refusal('model_not_found', 'model'));
  });
});

describe('the head of a request', () => {
  it.for<[string, Record<string, string>]>([
    ['no credential', {}],
    ['a bearer token', { authorization: `Bearer ${KEY}` }],
    ['an unknown key', { 'x-api-key': 'sk-unknown' }],
    ['an admin token', { 'x-api-key': ADMIN_TOKEN }],
  ])('with %s is refused before anything else', async ([, headers]) => {
    const answer = await postMessages(gateway, 'not json', headers);
    expect(answer.status).toBe(401);
    expect(answer.json).toEqual(refusal('invalid_api_key', null));
  });

  it.for<[string, Record<string, string>]>([
    ['no version', {}],
    ['a version that is no date', { 'compat-a-version': 'latest' }],
    ['no date beside that of a client', { 'compat-a-version': 'latest', 'anthropic-version': '2023-06-01' }],
    ['a client version that is no date', { 'anthropic-version': 'v1' }],
  ])('with %s is refused before the body is read (B-94)', async ([, headers]) => {
    const answer = await postMessages(gateway, 'not json', { 'x-api-key': KEY, ...headers });
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual(refusal('invalid_param', 'compat-a-version'));
  });

  it.for<[string, Record<string, string>]>([
    ['another date', { 'compat-a-version': '2031-12-31' }],
    ['the version of an official client', { 'anthropic-version': '2023-06-01' }],
  ])('with %s is taken', async ([, headers]) => {
    expect((await postMessages(gateway, ASKED, { 'x-api-key': KEY, ...headers })).status).toBe(200);
  });

  it('leaves no key in the log', async () => {
    await postMessages(gateway, ASKED);
    await postMessages(gateway, ASKED, { ...MESSAGES_HEAD, 'x-api-key': 'sk-somebody-elses' });
    expect(gateway.logLines).toHaveLength(2);
    expect(JSON.stringify(gateway.logLines)).not.toMatch(/sk-app-test-key-one|sk-somebody-elses/);
  });

  it.for<[string, 'GET' | 'POST', string, number, string]>([
    ['another method', 'GET', '/compat-a/v1/messages', 405, 'method_not_allowed'],
    ['an unknown path', 'POST', '/compat-a/v1/message', 404, 'not_found'],
    ['a path with a slash behind it', 'POST', '/compat-a/v1/messages/', 404, 'not_found'],
  ])('with %s is refused in the shape of the protocol', async ([, method, path, status, code]) => {
    const answer = await read(`${gateway.url}${path}`, { method, headers: MESSAGES_HEAD });
    expect(answer.status).toBe(status);
    expect(answer.json).toEqual(refusal(code, null));
  });
});
