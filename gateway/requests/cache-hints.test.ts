import { describe, expect, it } from 'vitest';
import { message } from '../testing/messages-upstream.ts';
import { tool, user } from '../testing/request-parts.ts';
import type { TestGateway } from '../testing/test-gateway.ts';
import { twoEndsEachFile } from '../testing/two-ends.ts';

let gateway: TestGateway;
twoEndsEachFile((ends) => {
  ({ gateway } = ends);
  ends.upstream.fallback = message('ok');
});

const modelId = 'beta-small-4-5';
const short = { type: 'ephemeral' };
const hour = { type: 'ephemeral', ttl: '1h' };
const text = (hint: unknown) => ({ type: 'text', text: 'x', cache_control: hint });
const hinted = (...hints: unknown[]) => ({ messages: [{ role: 'user', content: hints.map(text) }] });

describe('a model that honours marks', () => {
  it.for<[string, object]>([
    ['no ttl', hinted(short)],
    ['5 minutes', hinted({ type: 'ephemeral', ttl: '5m' })],
    ['an hour', hinted(hour)],
    ['null', hinted(null, { type: 'ephemeral', ttl: null })],
    ['four, the long-lived first', hinted(hour, hour, short, short)],
    ['one on a tool', { messages: [user], tools: [{ ...tool('f'), cache_control: hour }] }],
    ['one on the system message', { messages: [{ role: 'system', content: [text(hour)] }, user] }],
  ])('takes %s', async ([, fields]) => {
    expect((await gateway.chat({ model: modelId, ...fields })).status).toBe(200);
  });

  const block = 'messages[0].content[0].cache_control';
  it.for<[unknown, string]>([
    [{ type: 'persistent' }, `${block}.type`],
    [{}, `${block}.type`],
    [{ ...short, ttl: '2h' }, `${block}.ttl`],
    [{ ...short, ttl: 3600 }, `${block}.ttl`],
    [{ ...short, scope: 'x' }, `${block}.scope`],
    ['ephemeral', block],
    [[], block],
  ])('refuses %j', async ([hint, param]) => {
    expect((await gateway.chat({ model: modelId, ...hinted(hint) })).json).toMatchObject({
      error: { type: 'invalid_request_error', code: 'invalid_param', param },
    });
  });

  it.for<[string, object, string]>([
    ['a fifth mark', hinted(short, short, short, short, short), 'messages[0].content[4].cache_control'],
    ['a long-lived behind a short-lived', hinted(short, null, hour), 'messages[0].content[2].cache_control'],
    [
      'a long-lived behind a short-lived one on a tool',
      { ...hinted(hour), tools: [{ ...tool('f'), cache_control: short }] },
      block,
    ],
    [
      'a fifth over tools and messages',
      {
        ...hinted(short, short),
        tools: ['a', 'b', 'c'].map((name) => ({ ...tool(name), cache_control: short })),
      },
      'messages[0].content[1].cache_control',
    ],
  ])('refuses %s', async ([, fields, param]) => {
    expect((await gateway.chat({ model: modelId, ...fields })).json.error).toMatchObject({
      code: 'invalid_param',
      param,
    });
  });

  it.for([[], [5], [{ type: 'image_url', image_url: { url: 'https://e.org/a.png' } }]])(
    'refuses %j for the content of the system message',
    async (content) => {
      const { json } = await gateway.chat({ model: modelId, messages: [{ role: 'system', content }, user] });
      expect(json.error.param).toMatch(/^messages\[0\]\.content/);
    },
  );
});
