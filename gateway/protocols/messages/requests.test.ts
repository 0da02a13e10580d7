import { describe, expect, it } from 'vitest';
import { type FakeUpstream, json } from '../../testing/fake-upstream.ts';
import { messagesHead, messagesRequest, postMessages } from '../../testing/messages-caller.ts';
import { message } from '../../testing/messages-upstream.ts';
import { adminToken, type TestGateway, testKey } from '../../testing/test-gateway.ts';
import { twoEndsEachFile } from '../../testing/two-ends.ts';
import { read } from '../../testing/wire.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachFile((started) => {
  ({ upstream, gateway } = started);
  upstream.fallback = message('Hello');
});

const said = (...content: unknown[]): object => ({
  ...messagesRequest,
  messages: [{ role: 'user', content }],
});
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } };
const text = { type: 'text', text: 'a' };
const refusal = (code: string, param: string | null) => ({
  type: 'error',
  error: { type: expect.any(String), code, message: expect.any(String), channel: null, param },
});

describe('a request in the messages protocol', () => {
  it('goes on word for word, but for its model, under the credential of the upstream', async () => {
    const body = {
      ...messagesRequest,
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

  it('may hold system turns, which join the system prompt behind its own, marks kept (B-93)', async () => {
    const hinted = { type: 'text', text: 'c', cache_control: { type: 'ephemeral' } };
    const messages = [
      { role: 'system', content: 'b' },
      { role: 'user', content: 'hi' },
      { role: 'system', content: [hinted] },
    ];
    await postMessages(gateway, { ...messagesRequest, system: 'a', messages });
    await postMessages(gateway, { ...messagesRequest, messages: messages.slice(0, 2) });
    expect(upstream.seen.map(({ body }) => body)).toMatchObject([
      { system: [text, { type: 'text', text: 'b' }, hinted], messages: [messages[1]] },
      { system: [{ type: 'text', text: 'b' }], messages: [messages[1]] },
    ]);
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
        ...messagesRequest,
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
    const more = await postMessages(gateway, { ...messagesRequest, max_tokens: 200_001 });
    expect(more.json).toEqual(refusal('context_too_long', 'max_tokens'));
    upstream.count = json(200, { input_tokens: 200_000 });
    const long = { ...messagesRequest, system: 'word '.repeat(60_000) };
    const counted = await postMessages(gateway, { ...long, tools: [] });
    expect(counted.json).toEqual(refusal('context_too_long', 'messages'));
    expect(upstream.counted[0]?.body).toEqual({
      model: 'native-beta-large-4-5',
      system: long.system,
      messages: messagesRequest.messages,
      tools: [],
    });
  });
});

describe('a request that the upstream refuses', () => {
  const refused = json(400, {
    type: 'error',
    error: { type: 'invalid_request_error', message: 'system.0.text: bad' },
  });

  it('names the system prompt where the upstream does, in either protocol', async () => {
    upstream.queue.push(refused, refused);
    const native = await postMessages(gateway, { ...messagesRequest, system: [{ type: 'text', text: 's' }] });
    expect(native).toMatchObject({
      status: 400,
      json: { error: { code: 'invalid_param', param: 'system' } },
    });
    const { model } = messagesRequest;
    const messages = [
      { role: 'system', content: 's' },
      { role: 'user', content: 'x' },
    ];
    const core = await read(`${gateway.url}/api/v1/chat/completions`, {
      ...{ method: 'POST', key: testKey, body: { model, messages } },
    });
    expect(core).toMatchObject({
      status: 400,
      json: { error: { code: 'invalid_param', param: 'messages' } },
    });
  });
});

it('says of a thread, in the words of its clients, that it goes on without (B-146)', async () => {
  const before = upstream.seen.length;
  const { status, json } = await postMessages(gateway, { ...messagesRequest, thread: { type: 'create' } });
  const details = { error_code: 'thread_unsupported_request' };
  expect({ status, json }).toMatchObject({
    status: 400,
    json: { type: 'error', error: { code: 'invalid_param', param: 'thread', details } },
  });
  expect(upstream.seen).toHaveLength(before);
  expect((await postMessages(gateway, { ...messagesRequest, thread: null })).status).toBe(200);
});

describe('the head of a request', () => {
  it.for<[string, Record<string, string>]>([
    ['no credential', {}],
    ['a bearer token', { authorization: `Bearer ${testKey}` }],
    ['an unknown key', { 'x-api-key': 'sk-unknown' }],
    ['an admin token', { 'x-api-key': adminToken }],
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
    const answer = await postMessages(gateway, 'not json', { 'x-api-key': testKey, ...headers });
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual(refusal('invalid_param', 'compat-a-version'));
  });

  it.for<[string, Record<string, string>]>([
    ['another date', { 'compat-a-version': '2031-12-31' }],
    ['the version of an official client', { 'anthropic-version': '2023-06-01' }],
  ])('with %s is taken', async ([, headers]) => {
    expect((await postMessages(gateway, messagesRequest, { 'x-api-key': testKey, ...headers })).status).toBe(
      200,
    );
  });

  it('leaves no key in the log', async () => {
    await postMessages(gateway, messagesRequest);
    await postMessages(gateway, messagesRequest, { ...messagesHead, 'x-api-key': 'sk-somebody-elses' });
    expect(gateway.logLines).toHaveLength(2);
    expect(JSON.stringify(gateway.logLines)).not.toMatch(/sk-app-test-key-one|sk-somebody-elses/);
  });

  it.for<[string, 'GET' | 'POST', string, number, string]>([
    ['another method', 'GET', '/compat-a/v1/messages', 405, 'method_not_allowed'],
    ['an unknown path', 'POST', '/compat-a/v1/message', 404, 'not_found'],
    ['a path with a slash behind it', 'POST', '/compat-a/v1/messages/', 404, 'not_found'],
  ])('with %s is refused in the shape of the protocol', async ([, method, path, status, code]) => {
    const answer = await read(`${gateway.url}${path}`, { method, headers: messagesHead });
    expect(answer.status).toBe(status);
    expect(answer.json).toEqual(refusal(code, null));
  });
});
