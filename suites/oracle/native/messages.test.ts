import { expect, test } from 'vitest';
import { readNative } from './read.ts';
import { mediaOf, type NativeView, textOf } from './view.ts';

const path = '/lane-01/beta/v1/messages';
const read = (body: object): NativeView => {
  const view = readNative(path, JSON.stringify(body));
  if (view === null) throw new Error('the path is of no known dialect');
  return view;
};

const conversation = {
  model: 'bl-4-5-20260801',
  max_tokens: 64_000,
  system: [
    { type: 'text', text: 'You are brief.' },
    { type: 'text', text: ' The law: …', cache_control: { type: 'ephemeral', ttl: '1h' } },
  ],
  messages: [
    { role: 'user', content: 'What is the sea?' },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Let me see.' },
        { type: 'tool_use', id: 'toolu_1', name: 'look_up', input: { word: 'sea', n: 9 } },
        { type: 'tool_use', id: 'toolu_2', name: 'spell', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'toolu_2', content: [{ type: 'text', text: 's-e-a' }] },
        { type: 'tool_result', tool_use_id: 'toolu_1', content: 'salt water' },
        { type: 'text', text: 'And now?', cache_control: { type: 'ephemeral' } },
      ],
    },
  ],
  tools: [
    {
      name: 'look_up',
      description: 'Looks up.',
      input_schema: { type: 'object' },
      cache_control: { type: 'ephemeral' },
    },
  ],
  tool_choice: { type: 'any', disable_parallel_tool_use: false },
  temperature: 0.5,
  stop_sequences: ['END'],
  metadata: { user_id: 'u-1' },
  stream: true,
};

test('reads a request of the messages dialect as system text, turns, tools and fields', () => {
  const view = read(conversation);
  expect(view.dialect).toBe('messages');
  expect(view.model).toBe('bl-4-5-20260801');
  expect(view.stream).toBe(true);
  expect(textOf({ parts: view.system })).toBe('You are brief. The law: …');
  expect(view.turns.map((turn) => turn.role)).toEqual(['user', 'assistant', 'tool', 'tool', 'user']);
  expect(view.tools).toEqual([
    {
      name: 'look_up',
      description: 'Looks up.',
      parameters: { type: 'object' },
      schema: 'json-schema',
      cache: { type: 'ephemeral', ttl: null },
    },
  ]);
  expect(view.fields).toEqual({
    temperature: 0.5,
    top_p: null,
    max_tokens: 64_000,
    stop: ['END'],
    seed: null,
    tool_choice: 'required',
    response_format: null,
    user: 'u-1',
  });
});

test('reads tool results as separate turns, each with the id of its call', () => {
  const { turns } = read(conversation);
  expect(turns[1]?.calls).toEqual([
    { id: 'toolu_1', name: 'look_up', arguments: { word: 'sea', n: 9 }, cache: null },
    { id: 'toolu_2', name: 'spell', arguments: {}, cache: null },
  ]);
  expect(turns.slice(2, 4).map((turn) => turn.result)).toEqual([
    { callId: 'toolu_2', name: null, value: 's-e-a', cache: null },
    { callId: 'toolu_1', name: null, value: 'salt water', cache: null },
  ]);
});

test('reads a cache hint on its block and with its place', () => {
  const view = read(conversation);
  expect(view.system.map((part) => part.cache)).toEqual([null, { type: 'ephemeral', ttl: '1h' }]);
  expect(view.turns.at(-1)?.parts[0]?.cache).toEqual({ type: 'ephemeral', ttl: null });
  expect(view.hints).toEqual([
    { place: 'system[1]', type: 'ephemeral', ttl: '1h' },
    { place: 'messages[2].content[2]', type: 'ephemeral', ttl: null },
    { place: 'tools[0]', type: 'ephemeral', ttl: null },
  ]);
});

test('reads media by bytes or by URL, in any type of block', () => {
  const source = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' };
  const view = read({
    messages: [
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'url', url: 'https://media.example.com/sea.png' } },
          { type: 'document', source },
        ],
      },
    ],
  });
  expect(mediaOf(view.turns[0] ?? { parts: [] })).toEqual([
    {
      kind: 'media',
      block: 'image',
      mime: null,
      base64: null,
      url: 'https://media.example.com/sea.png',
      cache: null,
    },
    {
      kind: 'media',
      block: 'document',
      mime: 'application/pdf',
      base64: 'JVBERi0=',
      url: null,
      cache: null,
    },
  ]);
});

test.each([
  [{ type: 'auto' }, 'auto'],
  [{ type: 'none' }, 'none'],
  [{ type: 'tool', name: 'spell' }, { name: 'spell' }],
  [undefined, null],
])('reads the tool choice %j as %j', (tool_choice, expected) => {
  expect(read({ tool_choice }).fields.tool_choice).toEqual(expected);
});

test('reads all digits of an integer that a double cannot represent', () => {
  const schema = '{"type":"object","maximum":9007199254740993,"minimum":1.0}';
  const view = readNative(path, `{"tools":[{"name":"n","input_schema":${schema}}]}`);
  expect(view?.tools[0]?.parameters).toEqual({
    type: 'object',
    maximum: { exactNumber: '9007199254740993e0' },
    minimum: 1,
  });
});
