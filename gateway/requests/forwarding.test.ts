import { expect, it } from 'vitest';
import type { FakeUpstream } from '../testing/fake-upstream.ts';
import { call, result } from '../testing/request-parts.ts';
import { KEY, type TestGateway } from '../testing/test-gateway.ts';
import { twoEndsEachFile } from '../testing/two-ends.ts';
import { read } from '../testing/wire.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachFile((ends) => {
  ({ upstream, gateway } = ends);
});

const minimal = { model: 'alpha-5-2', messages: [{ role: 'user', content: 'hi' }] };

it('sends the native name, the channel key and nothing else for a minimal request', async () => {
  await gateway.chat(minimal);
  expect(upstream.seen[0]).toMatchObject({
    path: '/v1/chat/completions',
    headers: { authorization: 'Bearer upstream-secret' },
  });
  expect(upstream.seen[0]?.body).toEqual({ ...minimal, model: 'native-alpha-5-2' });
});

it('passes values on as given, zeros and false included', async () => {
  const given = {
    temperature: 0,
    top_p: 0.25,
    max_tokens: 1,
    seed: -7,
    user: 'end user ü',
    stop: ['a', 'b'],
    response_format: { type: 'json_object' },
    tools: [
      {
        type: 'function',
        function: { name: 'f', description: 'd', parameters: { $ref: '#/x', enum: [1, null, 'ü'] } },
      },
    ],
    tool_choice: { type: 'function', function: { name: 'f' } },
    parallel_tool_calls: false,
  };
  await gateway.chat({ ...minimal, ...given });
  expect(upstream.seen[0]?.body).toEqual({ ...minimal, ...given, model: 'native-alpha-5-2' });
});

it('keeps back metadata, nulls, cache hints and fields that only repeat a default', async () => {
  const messages = [
    { role: 'user', content: [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }] },
    { role: 'assistant', content: 'b', refusal: null, tool_calls: [] },
  ];
  const quiet = {
    metadata: { a: 'b' },
    temperature: null,
    n: 1,
    logprobs: false,
    stop: [],
    tools: [],
    tool_choice: 'auto',
    stream: false,
  };
  await gateway.chat({ ...minimal, messages, ...quiet });
  expect(upstream.seen[0]?.body).toEqual({
    model: 'native-alpha-5-2',
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'a' }] },
      { role: 'assistant', content: 'b' },
    ],
  });
  expect(gateway.records.at(-1)).toMatchObject({ metadata: { a: 'b' } });
});

it('keeps back what only other upstreams want with a call', async () => {
  const extra = { index: 0, extra_content: { thought_signature: 'sig', other: { a: 1 } } };
  const messages = (more: object) => [
    ...minimal.messages,
    { role: 'assistant', content: null, tool_calls: [{ ...call('odd id/ü'), ...more }] },
    result('odd id/ü'),
  ];
  await gateway.chat({ ...minimal, messages: messages(extra) });
  expect(upstream.seen[0]?.body.messages).toEqual(messages({}));
});

it('always asks a stream for its usage', async () => {
  await gateway.chat({ ...minimal, stream: true, stream_options: { include_usage: false } });
  expect(upstream.seen[0]?.body).toEqual({
    ...minimal,
    model: 'native-alpha-5-2',
    stream: true,
    stream_options: { include_usage: true },
  });
});

it('keeps every digit of large integers', async () => {
  const text = `{"model":"alpha-5-2","seed":9223372036854775807,"messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"f","parameters":{"maximum":12345678901234567890,"big":1e400}}}]}`;
  await read(`${gateway.url}/api/v1/chat/completions`, { method: 'POST', key: KEY, body: text });
  expect(upstream.seen[0]?.text).toContain('"seed":9223372036854775807');
  expect(upstream.seen[0]?.text).toContain('{"maximum":12345678901234567890,"big":1e400}');
});

it('passes on none of the headers of the caller', async () => {
  const headers = {
    'x-secret': 'canary',
    cookie: 'canary',
    'user-agent': 'canary',
    'x-forwarded-for': 'canary',
    'accept-encoding': 'gzip',
  };
  await read(`${gateway.url}/api/v1/chat/completions`, { method: 'POST', key: KEY, headers, body: minimal });
  expect(JSON.stringify(upstream.seen[0]?.headers)).not.toMatch(/canary|sk-app|gzip/);
});

it.for(['👩‍👩‍👧‍👦 \u202Eabc', '\ud800 lone', 'tab\tnew\nline\u0001', '   spaces   ', '</script>\u2028'])(
  'passes the text %j on unchanged',
  async (content) => {
    await gateway.chat({ ...minimal, messages: [{ role: 'user', content }] });
    expect(upstream.seen[0]?.body.messages[0].content).toBe(content);
  },
);
