import { expect, it } from 'vitest';
import type { FakeUpstream } from '../testing/fake-upstream.ts';
import { call, result } from '../testing/request-parts.ts';
import { type TestGateway, testKey } from '../testing/test-gateway.ts';
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
  const messages = (more: object, ofTurn: object = {}) => [
    ...minimal.messages,
    { role: 'assistant', content: null, tool_calls: [{ ...call('odd id/ü'), ...more }], ...ofTurn },
    result('odd id/ü'),
  ];
  const { extra_content } = extra;
  await gateway.chat({ ...minimal, messages: messages(extra, { extra_content }) });
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

it('passes on none of the headers of the caller', async () => {
  const headers = {
    'x-secret': 'canary',
    cookie: 'canary',
    'user-agent': 'canary',
    'x-forwarded-for': 'canary',
    'accept-encoding': 'gzip',
  };
  await read(`${gateway.url}/api/v1/chat/completions`, {
    method: 'POST',
    key: testKey,
    headers,
    body: minimal,
  });
  expect(JSON.stringify(upstream.seen[0]?.headers)).not.toMatch(/canary|sk-app|gzip/);
});
