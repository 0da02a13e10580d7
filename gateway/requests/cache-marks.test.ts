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
const text = (mark: unknown) => ({ type: 'text', text: 'x', cache_control: mark });
const marked = (...marks: unknown[]) => ({ messages: [{ role: 'user', content: marks.map(text) }] });

describe('a model that honours marks', () => {
  it.for<[string, object]>([
    ['no ttl', marked(short)],
    ['5 minutes', marked({ type: 'ephemeral', ttl: '5m' })],
    ['an hour', marked(hour)],
    ['null', marked(null, { type: 'ephemeral', ttl: null })],
    ['four, the long-lived first', marked(hour, hour, short, short)],
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
  ])('refuses %j', async ([mark, param]) => {
    expect((await gateway.chat({ model: modelId, ...marked(mark) })).json).toMatchObject({
      error: { type: 'invalid_request_error', code: 'invalid_param', param },
    });
  });

  it.for<[string, object, string]>([
    ['a fifth mark', marked(short, short, short, short, short), 'messages[0].content[4].cache_control'],
    ['a long-lived behind a short-lived', marked(short, null, hour), 'messages[0].content[2].cache_control'],
    [
      'a long-lived behind a short-lived one on a tool',
      { ...marked(hour), tools: [{ ...tool('f'), cache_control: short }] },
      block,
    ],
    [
      'a fifth over tools and messages',
      {
        ...marked(short, short),
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
