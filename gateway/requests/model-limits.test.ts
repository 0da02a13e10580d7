import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { completion, type FakeUpstream, startFakeUpstream } from '../testing/fake-upstream.ts';
import { generated } from '../testing/generate-content-upstream.ts';
import { startTestGateway, type TestGateway, testConfig } from '../testing/test-gateway.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
beforeAll(async () => {
  upstream = await startFakeUpstream();
  upstream.fallback = completion('ok');
  gateway = await startTestGateway(testConfig(upstream.url));
});
beforeEach(() => {
  upstream.seen.length = 0;
  upstream.queue.length = 0;
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const user = { role: 'user', content: 'hi' };
const png = 'data:image/png;base64,iVBORw0KGgo=';
const pdf = 'data:application/pdf;base64,AAAA';
const image = (url: unknown) => ({ role: 'user', content: [{ type: 'image_url', image_url: { url } }] });
const tools = [{ type: 'function', function: { name: 'f' } }];
const called = [
  user,
  {
    role: 'assistant',
    tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: 'a', content: 'x' },
];

const unsupported = (param: string) => ({
  status: 400,
  json: {
    error: { type: 'invalid_request_error', code: 'unsupported_capability', param, channel: null },
  },
});

describe('capabilities', () => {
  it.for([
    ['alpha-5-codex', png],
    ['alpha-codex', 'https://example.org/a.png'],
    ['delta-3', png],
    ['delta-3', pdf],
    ['beta-small-4-5', png],
    ['beta-small-4-5', pdf],
    ['plain-1', png],
    ['alpha-5-2', pdf],
    ['alpha-5-pro', 'data:video/mp4;base64,AAAA'],
    ['alpha-5-2', 'https://example.org/a.mp4'],
    ['gamma-3-flash', 'data:audio/mpeg;base64,AAAA'],
    ['gamma-3-flash', 'https://example.org/a.pdf'],
  ] as const)('refuses on %s what %s carries, in any message and in streams', async ([model, url]) => {
    const messages = [user, { role: 'assistant', content: 'a' }, image(url)];
    for (const stream of model === 'plain-1' ? [false] : [true, false]) {
      expect(await gateway.chat({ model, messages, stream })).toMatchObject(
        unsupported('messages[2].content[0]'),
      );
    }
    expect(upstream.seen).toHaveLength(0);
  });

  it.for([
    ['tools', { tools }, 'tools'],
    ['tools that must not be called', { tools, tool_choice: 'none' }, 'tools'],
    ['a history with calls', { messages: called }, 'messages[1].tool_calls'],
    ['a stream', { stream: true }, 'stream'],
    [
      'a JSON schema',
      { response_format: { type: 'json_schema', json_schema: { name: 'n' } } },
      'response_format',
    ],
  ] as const)('refuses %s on a model without', async ([, fields, param]) => {
    const answer = await gateway.chat({ model: 'plain-1', messages: [user], ...fields });
    expect(answer).toMatchObject(unsupported(param));
    expect(upstream.seen).toHaveLength(0);
  });

  it('takes from a model without any what asks for none', async () => {
    const content = [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }];
    const answer = await gateway.chat({
      model: 'plain-1',
      messages: [{ role: 'user', content }],
      tools: [],
      tool_choice: 'auto',
      stream: false,
      response_format: { type: 'json_object' },
    });
    expect(answer.status).toBe(200);
    expect(upstream.seen[0]?.text).not.toContain('cache_control');
  });

  it('refuses a JSON schema on models that do not take it', async () => {
    const response_format = { type: 'json_schema', json_schema: { name: 'n' } };
    for (const model of ['delta-3', 'alpha-codex', 'beta-large-4-5']) {
      const answer = await gateway.chat({ model, messages: [user], response_format });
      expect(answer).toMatchObject(unsupported('response_format'));
    }
  });

  it.for([png, pdf, 'data:video/mp4;base64,AAAA', 'data:audio/wav;base64,AAAA', 'https://example.org/a.mov'])(
    'lets gamma-3-pro take %s',
    async (url) => {
      upstream.queue.push(generated(['ok']));
      expect((await gateway.chat({ model: 'gamma-3-pro', messages: [image(url)] })).status).toBe(200);
    },
  );
});

describe('the context window', () => {
  it.for([
    ['alpha-5-2', 400_000],
    ['alpha-codex', 128_000],
    ['delta-3', 256_000],
    ['beta-mid-4-5', 200_000],
    ['gamma-3-pro', 2_000_000],
    ['gamma-3-flash', 1_000_000],
    ['plain-1', 8000],
  ] as const)('of %s is %i tokens', async ([model, window]) => {
    const over = await gateway.chat({ model, messages: [user], max_tokens: window + 1 });
    expect(over).toMatchObject({
      status: 400,
      json: { error: { code: 'context_too_long', param: 'max_tokens' } },
    });
    expect(upstream.seen).toHaveLength(0);
    // What the upstream makes of the rest is not the question here.
    const within = await gateway.chat({ model, messages: [user], max_tokens: Math.floor(0.7 * window) });
    expect(within.json.error?.code).not.toBe('context_too_long');
    expect(upstream.seen).toHaveLength(1);
  });

  it('refuses a prompt that no tokenizer could make short enough, without asking the upstream', async () => {
    const content = 'a1b2c3d4 '.repeat((33 * 128_000) / 8);
    const answer = await gateway.chat({ model: 'alpha-codex', messages: [{ role: 'user', content }] });
    expect(answer.json.error).toMatchObject({ code: 'context_too_long', param: 'messages' });
    expect(upstream.seen).toHaveLength(0);
  });

  it('leaves a long run of one character to the upstream', async () => {
    const content = ' '.repeat(2_500_000) + '='.repeat(2_500_000);
    expect((await gateway.chat({ model: 'alpha-codex', messages: [{ role: 'user', content }] })).status).toBe(
      200,
    );
  });
});
