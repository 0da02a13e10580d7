import { describe, expect, it } from 'vitest';
import { completion, type FakeUpstream, type Reply } from '../testing/fake-upstream.ts';
import { generated } from '../testing/generate-content-upstream.ts';
import { message } from '../testing/messages-upstream.ts';
import { asks, call, pngUri, result, tool, user } from '../testing/request-parts.ts';
import type { TestGateway } from '../testing/test-gateway.ts';
import { twoEndsEachFile } from '../testing/two-ends.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachFile((ends) => {
  ({ upstream, gateway } = ends);
});

const modelId = 'alpha-5-2';

/** Values that the text leaves open and this gateway accepts; the others of the body are minimal. */
const accepted: readonly [field: string, values: readonly unknown[]][] = [
  ['temperature', [null]],
  ['top_p', [0, null]],
  ['max_tokens', [null]],
  ['stream', [null]],
  [
    'tools',
    [
      [],
      [tool('f', { description: 'd', parameters: {}, strict: true })],
      [{ ...tool('f'), cache_control: { type: 'ephemeral' } }],
      null,
    ],
  ],
  ['tool_choice', ['none', 'auto', null]],
  [
    'response_format',
    [{ type: 'text' }, { type: 'json_schema', json_schema: { name: 'n', schema: {} } }, null],
  ],
  ['stop', [[], null]],
  ['seed', [-5, -(2 ** 63), null]],
  ['user', ['', 'a\u0000b', null]],
  ['metadata', [{ e: '😀'.repeat(64) }, null]],
  ['n', [1, null]],
  ['parallel_tool_calls', [true, false]],
  ['frequency_penalty', [0]],
  ['presence_penalty', [0]],
  ['logprobs', [false]],
  ['stream_options', [{ include_usage: true }, {}, null]],
  [
    'messages',
    [
      [{ role: 'system', content: 's' }],
      [user, { role: 'assistant', content: 'a', refusal: null, tool_calls: null, name: 'n' }, user],
      [
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: pngUri, detail: 'low' } },
            { type: 'text', text: 'x', cache_control: { type: 'ephemeral', ttl: '1h' } },
          ],
        },
      ],
      [user, { role: 'assistant', tool_calls: [call('1')] }, result('1')],
    ],
  ],
];

it.for<[model: string, answer: Reply]>([
  ['alpha-5-pro', completion('x')],
  ['beta-small-4-5', message('x')],
  ['gamma-3-pro', generated(['x'])],
  ['delta-3', completion('x')],
])('accepted of %s: a history with calls that comes without tools', async ([model, answer]) => {
  upstream.queue.push(answer);
  const messages = [user, asks('1', '2'), result('2'), result('1'), user];
  expect(await gateway.chat({ model, messages })).toMatchObject({
    status: 200,
    json: { choices: [{ message: { content: 'x' }, finish_reason: 'stop' }] },
  });
});

describe('accepted', () => {
  it.for(accepted.flatMap(([field, values]) => values.map((value) => [field, value] as const)))(
    '%s %j',
    async ([field, value]) => {
      const answer = await gateway.chat({ model: modelId, messages: [user], [field]: value });
      expect(answer.json.error).toBeUndefined();
      expect(answer.status).toBe(200);
    },
  );
});
