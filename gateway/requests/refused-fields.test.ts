import { describe, expect, it } from 'vitest';
import type { FakeUpstream } from '../testing/fake-upstream.ts';
import { asks, call, image, pngUri, result, tool, user } from '../testing/request-parts.ts';
import type { TestGateway } from '../testing/test-gateway.ts';
import { twoEndsEachFile } from '../testing/two-ends.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachFile((ends) => {
  ({ upstream, gateway } = ends);
});

const modelId = 'alpha-5-2';

/**
 * Values of one field that must be refused, and the param that must be named (the field itself when not given): places
 * inside a field, and values that the text leaves open.
 */
const refused: readonly [field: string, value: unknown, param?: string][] = [
  ...[-0.1, 1.1].map((value) => ['top_p', value] as [string, unknown]),
  ['max_tokens', 0],
  ['tools', [1], 'tools[0]'],
  ['tools', ['f'], 'tools[0]'],
  ['tools', [{ function: { name: 'f' } }], 'tools[0].type'],
  ['tools', [{ type: 'retrieval', function: { name: 'f' } }], 'tools[0].type'],
  ['tools', [{ type: 'function' }], 'tools[0].function'],
  ['tools', [tool('f'), { type: 'function', function: {} }], 'tools[1].function.name'],
  ['tools', [tool('')], 'tools[0].function.name'],
  ['tools', [tool('a b')], 'tools[0].function.name'],
  ['tools', [tool('a'.repeat(65))], 'tools[0].function.name'],
  ['tools', [tool('f'), tool('f')], 'tools[1].function.name'],
  ['tools', [tool('f', { description: 5 })], 'tools[0].function.description'],
  ['tools', [tool('f', { parameters: 'x' })], 'tools[0].function.parameters'],
  ['tools', [tool('f', { parameters: [] })], 'tools[0].function.parameters'],
  ['tools', [tool('f', { zz: 1 })], 'tools[0].function.zz'],
  ...['required', []].map((value) => ['tool_choice', value] as [string, unknown]),
  ['tool_choice', {}, 'tool_choice.type'],
  ['tool_choice', { type: 'tool', function: { name: 'f' } }, 'tool_choice.type'],
  ['tool_choice', { type: 'function' }, 'tool_choice.function'],
  ['tool_choice', { type: 'function', function: {} }, 'tool_choice.function.name'],
  ['tool_choice', { type: 'function', function: { name: 'absent' } }],
  ['response_format', { type: 'xml' }, 'response_format.type'],
  ['response_format', {}, 'response_format.type'],
  ['response_format', { type: 'json_schema' }, 'response_format.json_schema'],
  ['stop', ''],
  ['stop', [1], 'stop[0]'],
  ['stop', ['a', null], 'stop[1]'],
  ['stop', ['a', ''], 'stop[1]'],
  ['seed', 1e30],
  ...[{ k: 'v'.repeat(65) }, { k: 5 }, { k: null }, { k: {} }].map(
    (value) => ['metadata', value] as [string, unknown],
  ),
  ...[2, 0, '1', true].map((value) => ['n', value] as [string, unknown]),
  ['frequency_penalty', 0.1],
  ['logprobs', true],
  ['stream_options', true],
  ['stream_options', { zz: 1 }, 'stream_options.zz'],
  ['max_completion_tokens', 5],
  ['webhook_url', 'https://example.org'],
  ['zz_unknown', 1],
  ['__proto__x', { polluted: true }],
  ['messages', []],
  ['messages', [1], 'messages[0]'],
  ['messages', ['hi'], 'messages[0]'],
  ['messages', [[]], 'messages[0]'],
  ['messages', [{ content: 'x' }], 'messages[0].role'],
  ...['wizard', 'USER', '', null, 5, 'developer', 'function'].map(
    (role) => ['messages', [{ role, content: 'x' }], 'messages[0].role'] as [string, unknown, string],
  ),
  ...[5, {}, null, [{ type: 'text', text: 'a' }]].map(
    (content) =>
      ['messages', [{ role: 'system', content }, user], 'messages[0].content'] as [string, unknown, string],
  ),
  ...[5, true, {}, null, []].map(
    (content) =>
      ['messages', [{ role: 'user', content }], 'messages[0].content'] as [string, unknown, string],
  ),
  ['messages', [{ role: 'user' }], 'messages[0].content'],
  ['messages', [{ role: 'user', content: [1] }], 'messages[0].content[0]'],
  ['messages', [{ role: 'user', content: ['x'] }], 'messages[0].content[0]'],
  ['messages', [user, { role: 'assistant', content: 5 }], 'messages[1].content'],
  ['messages', [user, { role: 'assistant', content: null }], 'messages[1].content'],
  ['messages', [user, { role: 'assistant' }], 'messages[1].content'],
  ['messages', [user, { role: 'system', content: 's' }], 'messages[1].role'],
  [
    'messages',
    [
      { role: 'system', content: 's' },
      { role: 'system', content: 's' },
    ],
    'messages[1].role',
  ],
  ['messages', [user, asks('1'), result('1', null)], 'messages[2].content'],
  ['messages', [user, asks('1'), result('1', 5)], 'messages[2].content'],
  ['messages', [user, asks('1'), { role: 'tool', content: 'r' }], 'messages[2].tool_call_id'],
  ['messages', [user, asks('1'), result(5)], 'messages[2].tool_call_id'],
  ['messages', [user, asks('1'), result(null)], 'messages[2].tool_call_id'],
  ['messages', [user, asks('1'), result('2')], 'messages[2].tool_call_id'],
  ['messages', [user, result('1')], 'messages[1].tool_call_id'],
  ['messages', [user, asks('1')], 'messages[1].tool_calls'],
  ['messages', [user, asks('1', '2'), result('1'), user], 'messages[1].tool_calls'],
  [
    'messages',
    [user, { role: 'assistant', content: 'a', tool_calls: [{ id: '1', type: 'function' }] }],
    'messages[1].tool_calls[0].function',
  ],
  [
    'messages',
    [user, { role: 'assistant', content: 'a', tool_calls: [{ ...call('1'), id: '' }] }],
    'messages[1].tool_calls[0].id',
  ],
  ...[5, 'x', { thought_signature: 5 }].map((extra): [string, unknown, string] => [
    'messages',
    [user, { role: 'assistant', tool_calls: [{ ...call('1'), extra_content: extra }] }, result('1')],
    `messages[1].tool_calls[0].extra_content${typeof extra === 'object' ? '.thought_signature' : ''}`,
  ]),
  ['messages', [user, { role: 'assistant', content: 'a', extra_content: 5 }], 'messages[1].extra_content'],
  ['messages', [{ ...user, extra_content: {} }], 'messages[0].extra_content'],
  ['messages', [{ ...user, zz: 1 }], 'messages[0].zz'],
  ['messages', [{ role: 'user', content: [{ text: 'a' }] }], 'messages[0].content[0].type'],
  ['messages', [{ role: 'user', content: [{ type: 'text' }] }], 'messages[0].content[0].text'],
  ['messages', [{ role: 'user', content: [{ type: 'text', text: 5 }] }], 'messages[0].content[0].text'],
  ['messages', [{ role: 'user', content: [{ type: 'input_audio' }] }], 'messages[0].content[0].type'],
  ['messages', [{ role: 'user', content: [{ type: 'image_url' }] }], 'messages[0].content[0].image_url'],
  [
    'messages',
    [{ role: 'user', content: [{ type: 'image_url', image_url: pngUri }] }],
    'messages[0].content[0].image_url',
  ],
  ...[
    undefined,
    5,
    'ftp://x/y.png',
    'file:///etc/passwd',
    'abc',
    '',
    'data:image/png,abc',
    'data:;base64,',
    'data:image/png;base64,',
    'data:image/png;base64,@@@',
    'data:image/png;base64,abc',
    'http://',
    'https://a b/c',
  ].map(
    (url) => ['messages', [image(url)], 'messages[0].content[0].image_url.url'] as [string, unknown, string],
  ),
];

describe('refused', () => {
  it.for(refused)('%s %j', async ([field, value, param]) => {
    const answer = await gateway.chat({ model: modelId, messages: [user], [field]: value });
    expect(answer).toMatchObject({
      status: 400,
      json: {
        error: { type: 'invalid_request_error', code: 'invalid_param', param: param ?? field, channel: null },
      },
    });
  });

  it.for([
    [{ messages: [user] }, 'model'],
    [{ model: null, messages: [user] }, 'model'],
    [{ model: '', messages: [user] }, 'model'],
    [{ model: 5, messages: [user] }, 'model'],
    [{ model: {}, messages: [user] }, 'model'],
    [{ model: modelId }, 'messages'],
    [{ model: modelId, messages: null }, 'messages'],
    [{ top_p: 'x', model: modelId, temperature: 9, messages: 5 }, 'top_p'],
    [{ zz: 1, model: modelId, temperature: 9, messages: 5 }, 'zz'],
    [{ temperature: 9, model: modelId }, 'temperature'],
    [{ model: modelId, messages: [{ content: 5, role: 'user' }, 7], stop: 5 }, 'messages[0].content'],
  ] as const)('names the first fault of %j in the order of the document: %s', async ([body, param]) => {
    expect((await gateway.chat(body)).json.error).toMatchObject({ code: 'invalid_param', param });
  });

  it('never asks the upstream', async () => {
    await gateway.chat({ model: modelId, messages: [user], temperature: 5 });
    expect(upstream.seen).toEqual([]);
  });
});
