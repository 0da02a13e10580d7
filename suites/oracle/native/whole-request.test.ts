import { expect, test } from 'vitest';
import { wholeFaults } from './whole-request.ts';

const path = '/one/v1/chat/completions';
const body = {
  model: 'alpha-5-2',
  messages: [{ role: 'user', content: `What is the sea? ${'Salt. '.repeat(400)}` }],
  stop: ['a', 'b'],
  seed: 7,
  response_format: { type: 'json_object' },
};
const seen = (change: object): { path: string; text: string } => ({
  path,
  text: JSON.stringify({ ...body, model: 'a52', ...change }),
});

test('accepts the same request in the dialect, with extra members that do not steer the model', () => {
  expect(wholeFaults(body, seen({}))).toEqual([]);
  expect(wholeFaults(body, seen({ stream_options: { include_usage: true }, n: 1, store: false }))).toEqual(
    [],
  );
});

test.each([
  ['response_format', { response_format: undefined }],
  ['stop', { stop: ['a'] }],
  ['stop', { stop: ['b', 'a'] }],
  ['seed', { seed: 0 }],
  ['temperature', { temperature: 0.5 }],
  ['turns', { messages: [{ role: 'user', content: body.messages[0]?.content.slice(0, -1) }] }],
  ['turns', { messages: [...body.messages, ...body.messages] }],
  ['presence_penalty', { presence_penalty: 0.1 }],
  ['n', { n: 2 }],
])('a request that differs in %s is not', (what, change) => {
  expect(wholeFaults(body, seen(change)).map((fault) => fault.what)).toEqual([what]);
});

test('shows where a long text is cut', () => {
  const cut = seen({ messages: [{ role: 'user', content: body.messages[0]?.content.slice(0, 2_000) }] });
  expect(wholeFaults(body, cut)[0]?.actual).toMatch(/^\(after \d+ characters alike\) …/);
});

test('ignores a path of no chat dialect', () => {
  expect(wholeFaults(body, { path: '/v1/jobs', text: '{}' })).toEqual([]);
});
