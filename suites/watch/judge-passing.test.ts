import { expect, it } from 'vitest';
import { watched } from './testing/passing.ts';

const page = {
  method: 'GET',
  status: 400,
  answered: { 'content-type': 'text/html' },
  answer: '<h1>No</h1>',
  at: 1,
};

it('accepts any error shape for a task id that no task can have, but not for other ids', async () => {
  const odd = await watched([{ ...page, path: '/api/v1/tasks/a%2Fb' }], null);
  expect(odd.broken).toEqual([]);
  const plain = await watched([{ ...page, path: '/api/v1/tasks/a-b' }], null);
  expect(plain.broken.join()).toContain('ERR-002');
});

const call = { id: 'call_1', type: 'function', function: { name: 'spell', arguments: '{}' } };
const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
const turn = (finishReason: string): string =>
  JSON.stringify({
    ...{ id: 'c-1', object: 'chat.completion', created: Math.floor(at / 1_000), model: 'alpha-5-2', usage },
    choices: [
      {
        index: 0,
        finish_reason: finishReason,
        message: { role: 'assistant', content: null, tool_calls: [call] },
      },
    ],
  });
const at = 1_795_000_000_000;
const messages = [{ role: 'user', content: 'Hello' }];

it.each([
  ['auto', 'tool_calls', []],
  ['auto', 'stop', ['chat TOOL-017 finish-of-calls']],
  ['required', 'stop', []],
])('with tool_choice %s, a turn of calls that ends with %s breaks %j', async (choice, reason, broken) => {
  const body = { model: 'alpha-5-2', messages, tools: [], tool_choice: choice };
  const path = '/api/v1/chat/completions';
  const seen = await watched([{ method: 'POST', path, body, status: 200, answer: turn(reason), at }], null);
  expect(seen.broken.map((one) => one.split(':')[0])).toEqual(broken);
});

it.each([
  ['STOP', 5, []],
  ['stop', 5, ['compatB COMPB-010 shape']],
  ['STOP', 6, ['compatB COMPB-010 total-is-sum']],
  ['STOP', 0, []],
])(
  'an answer of compat path B that ends with %s and a total of %d breaks %j',
  async (reason, total, broken) => {
    const answer = {
      candidates: [
        { content: { role: 'model', parts: [{ text: 'Hello' }] }, finishReason: reason, index: 0 },
      ],
      usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: total },
    };
    const body = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] };
    const path = '/compat-b/v1beta/models/gamma-3-pro:generateContent';
    const one = { method: 'POST', path, body, status: 200, answer: JSON.stringify(answer), at };
    expect((await watched([one], null)).broken.map((text) => text.split(':')[0])).toEqual(broken);
  },
);
