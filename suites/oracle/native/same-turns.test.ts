import { expect, test } from 'vitest';
import { readCaller, readNative } from './read.ts';
import { turnFault } from './same-turns.ts';
import type { NativeView } from './view.ts';

const callOf = (id: string, name: string, args: string): object => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});

/** Two calls of one function, with results in the other order. */
const sent = readCaller({
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Sea and sky?' },
    {
      role: 'assistant',
      content: 'Hm. ',
      tool_calls: [callOf('a', 'look_up', '{"word":"sea"}'), callOf('b', 'look_up', '{"word":"sky"}')],
    },
    { role: 'tool', tool_call_id: 'b', content: 'blue' },
    { role: 'tool', tool_call_id: 'a', content: '{"salt":true}' },
  ],
});

const messages = (change: (body: NativeBody) => void = () => {}): NativeView => {
  const body: NativeBody = {
    system: 'Be brief.',
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Sea and sky?' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Hm. ' },
          { type: 'tool_use', id: 'toolu_01', name: 'look_up', input: { word: 'sea' } },
          { type: 'tool_use', id: 'toolu_02', name: 'look_up', input: { word: 'sky' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_01', content: '{"salt":true}' },
          { type: 'tool_result', tool_use_id: 'toolu_02', content: 'blue' },
        ],
      },
    ],
  };
  change(body);
  return readNative('/v1/messages', JSON.stringify(body)) as NativeView;
};

interface NativeBody {
  system?: unknown;
  messages: { role: string; content: { [name: string]: unknown }[] }[];
}

const generate = (responses: object[]): NativeView =>
  readNative(
    '/v1beta/models/g:generateContent',
    JSON.stringify({
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [
        { role: 'user', parts: [{ text: 'Sea and sky?' }] },
        {
          role: 'model',
          parts: [
            { text: 'Hm. ' },
            { functionCall: { name: 'look_up', args: { word: 'sea' } } },
            { functionCall: { name: 'look_up', args: { word: 'sky' } } },
          ],
        },
        { role: 'user', parts: responses.map((response) => ({ functionResponse: response })) },
      ],
    }),
  ) as NativeView;

test('accepts a faithful translation into the messages dialect with new call ids and another order of results', () => {
  expect(turnFault(sent, messages())).toBeNull();
});

test('accepts the text of a function response as a member or as JSON, and matches results without ids by order', () => {
  const responses = [
    { name: 'look_up', response: { salt: true } },
    { name: 'look_up', response: { output: 'blue' } },
  ];
  expect(turnFault(sent, generate(responses))).toBeNull();
  expect(turnFault(sent, generate(responses.reverse()))?.aspect).toBe('turn-content');
});

test.each([
  [
    'results swapped between ids',
    (body: NativeBody): void => {
      const [first, second] = body.messages[2]?.content ?? [];
      if (first && second) [first.tool_use_id, second.tool_use_id] = [second.tool_use_id, first.tool_use_id];
    },
    'turn-content',
  ],
  [
    'a result of no call',
    (body: NativeBody): void => {
      Object.assign(body.messages[2]?.content[0] ?? {}, { tool_use_id: 'toolu_09' });
    },
    'turn-content',
  ],
  ['system text left out', (body: NativeBody): void => void delete body.system, 'turn-order'],
  [
    'system text within the prompt',
    (body: NativeBody): void => {
      delete body.system;
      body.messages[0]?.content.unshift({ type: 'text', text: 'Be brief.' });
    },
    'turn-order',
  ],
  [
    'arguments changed',
    (body: NativeBody): void => {
      Object.assign(body.messages[1]?.content[1] ?? {}, { input: { word: 'Sea' } });
    },
    'turn-content',
  ],
  [
    'text trimmed',
    (body: NativeBody): void => {
      Object.assign(body.messages[1]?.content[0] ?? {}, { text: 'Hm.' });
    },
    'turn-content',
  ],
  [
    'a turn made up',
    (body: NativeBody): void => {
      body.messages.push({ role: 'assistant', content: [{ type: 'text', text: 'Well, ' }] });
    },
    'turn-order',
  ],
] as const)('%s is reported', (_, change, aspect) => {
  expect(turnFault(sent, messages(change))?.aspect).toBe(aspect);
});

test('forced JSON may add text and prefill the answer, but may remove nothing', () => {
  const asked = readCaller({
    messages: [{ role: 'user', content: 'The sea, as JSON.' }],
    response_format: { type: 'json_object' },
  });
  const native = (text: string): NativeView =>
    readNative(
      '/v1/messages',
      JSON.stringify({
        messages: [
          { role: 'user', content: text },
          { role: 'assistant', content: '{' },
        ],
      }),
    ) as NativeView;
  expect(turnFault(asked, native('The sea, as JSON. Answer with a JSON document alone.'))).toBeNull();
  expect(turnFault(asked, native('The sea.'))?.aspect).toBe('turn-content');
});

test('the chat-completions dialect keeps the order of tool results and joins no turns', () => {
  const twice = { messages: ['a', 'b'].map((content) => ({ role: 'user', content })) };
  const once = { messages: [{ role: 'user', content: 'ab' }] };
  const at = (path: string, body: object): NativeView => readNative(path, JSON.stringify(body)) as NativeView;
  expect(turnFault(readCaller(twice), at('/v1/chat/completions', once))?.aspect).toBe('turn-order');
  expect(turnFault(readCaller(twice), at('/v1/messages', once))).toBeNull();
});
