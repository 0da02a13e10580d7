import { describe, expect, it } from 'vitest';
import { delta, events, type FakeUpstream, type Reply } from '../testing/fake-upstream.ts';
import { generateEvent } from '../testing/generate-content-upstream.ts';
import { postMessages, readMessageStream } from '../testing/messages-caller.ts';
import {
  askFor,
  blocks,
  candidate,
  chat,
  chunk,
  counts,
  type Dialect,
  message,
  messaged,
  plain,
  stop,
  stream,
} from '../testing/odd-replies.ts';
import type { TestGateway } from '../testing/test-gateway.ts';
import { twoEndsEachTest } from '../testing/two-ends.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachTest((ends) => {
  ({ upstream, gateway } = ends);
});

const called = { code: undefined, text: '', call: 'f{"x":1}', finish: 'tool_calls', tokens: [11, 7] };
const uncalled = { ...called, text: 'Hi', call: '', finish: 'stop' };
const bare = { ...called, call: 'f{}' };
const callOf = (called: unknown) => ({ content: null, tool_calls: [{ id: 'a', function: called }] });
const begun = delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '' } }] });
const more = (text: unknown) => delta({ tool_calls: [{ index: 0, function: { arguments: text } }] });
const finished = delta({}, 'tool_calls');
const emptyMessage = { role: 'assistant', content: '' };
const toolUse = (...parts: string[]): string[] =>
  blocks(
    0,
    { type: 'tool_use', id: 't', name: 'f', input: {} },
    ...parts.map((part) => ({ type: 'input_json_delta', partial_json: part })),
  );
const part = (args: unknown): object => ({ functionCall: { id: 'a', name: 'f', args } });

type Odd = [name: string, dialect: Dialect, isStream: boolean, reply: Reply, wanted: object];
describe('a call is complete', () => {
  it.for<Odd>([
    [
      'without its wrapper',
      'chat',
      false,
      plain(chat({ tool_calls: [{ name: 'f', arguments: { x: 1 } }] })),
      called,
    ],
    ['of no arguments in a list', 'chat', false, plain(chat(callOf({ name: 'f', arguments: [] }))), bare],
    [
      'of a text of a text',
      'chat',
      false,
      plain(chat(callOf({ name: 'f', arguments: '"{\\"x\\":1}"' }))),
      called,
    ],
    [
      'that only the message at the end has',
      'chat',
      true,
      stream(
        delta(emptyMessage),
        chunk({ delta: {}, message: callOf({ name: 'f', arguments: '{"x":1}' }) }, 'tool_calls'),
      ),
      called,
    ],
    [
      'with all its arguments so far',
      'chat',
      true,
      stream(begun, more('{'), more('{"x":1}'), finished),
      called,
    ],
    ['with one bracket more', 'chat', true, stream(begun, more('{"x":1}'), more('}'), finished), called],
    [
      'that finishes behind every chunk',
      'chat',
      true,
      stream(begun, finished, more('{"x":'), finished, more('1}'), finished),
      called,
    ],
    [
      'without arguments behind a text that finished',
      'chat',
      true,
      stream(delta({ content: 'Hi' }), delta({}, 'stop'), begun, finished),
      { ...bare, text: 'Hi' },
    ],
    [
      'of an empty text',
      'messages',
      false,
      message([{ type: 'tool_use', id: 't', name: 'f', input: '' }]),
      bare,
    ],
    [
      'of an empty list',
      'messages',
      false,
      message([{ type: 'tool_use', id: 't', name: 'f', input: [] }]),
      bare,
    ],
    ['with all its input so far', 'messages', true, messaged(...toolUse('{', '{"x":', '{"x":1}')), called],
    ['with its whole input twice', 'messages', true, messaged(...toolUse('{"x":1}', '{"x":1}')), called],
    ['of no list of arguments', 'generate', false, plain(candidate([part([])], stop)), bare],
    [
      'that two responses bring',
      'generate',
      true,
      events([candidate([part({ x: 1 })]), candidate([part({ x: 1 })], stop)].map(generateEvent)),
      called,
    ],
  ])('%s', async ([, dialect, isStream, reply, wanted]) => {
    upstream.queue.push(reply);
    expect(await askFor(gateway, dialect, isStream)).toEqual(wanted);
  });
});

describe('an answer is complete', () => {
  it.for<Odd>([
    ...['data', 'result', 'response', 'output'].map((name): Odd => {
      const { usage, ...answer } = chat({ content: 'Hi' }) as Record<string, unknown>;
      return [
        `within ${name}`,
        'chat',
        false,
        plain({ code: 200, msg: 'ok', [name]: answer, usage }),
        uncalled,
      ];
    }),
    [
      'with a part whose text is absent',
      'generate',
      false,
      plain(candidate([{ text: null }, { text: 'Hi' }], stop)),
      uncalled,
    ],
    [
      'with counts among its times',
      'chat',
      false,
      plain({
        ...chat({ content: 'Hi' }),
        usage: undefined,
        timings: { cache_n: 4, prompt_n: 7, predicted_n: 7 },
      }),
      uncalled,
    ],
    [
      'with other counts than those of its times',
      'chat',
      false,
      plain({ ...chat({ content: 'Hi' }), usage: counts, timings: { prompt_n: 900, predicted_n: 900 } }),
      uncalled,
    ],
  ])('%s', async ([, dialect, isStream, reply, wanted]) => {
    upstream.queue.push(reply);
    expect(await askFor(gateway, dialect, isStream)).toEqual(wanted);
  });
});

it.for([
  ['in a list', { success: false, errors: [{ code: 429, message: 'slow' }] }],
  ['under other names', { error_code: 336501, error_msg: 'RPM' }],
])('an error is read %s', async ([, body]) => {
  upstream.fallback = plain(body);
  expect(await askFor(gateway, 'chat', false)).toMatchObject({ code: 'channel_queue_full', tokens: [0, 0] });
});

it('a caller of messages gets the same calls and texts', async () => {
  const request = { model: 'beta-large-4-5', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] };
  upstream.queue.push(
    message([
      { type: 'text', text: null },
      { type: 'tool_use', id: 't', name: 'f', input: [] },
    ]),
  );
  expect((await postMessages(gateway, request)).json.content).toEqual([
    { type: 'text', text: '' },
    { type: 'tool_use', id: 't', name: 'f', input: {} },
  ]);
  upstream.queue.push(messaged(...toolUse('{"x":', '{"x":1}')));
  const { text } = await postMessages(gateway, { ...request, stream: true });
  expect(readMessageStream(text).message.content).toMatchObject([{ type: 'tool_use', input: { x: 1 } }]);
});
