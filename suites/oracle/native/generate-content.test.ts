import { expect, test } from 'vitest';
import { readNative } from './read.ts';
import { mediaOf, type NativeView, textOf } from './view.ts';

const read = (body: object, verb = 'generateContent'): NativeView => {
  const view = readNative(
    `/lane-01/gamma/v1beta/models/g3p-2026-09:${verb}${verb.startsWith('s') ? '?alt=sse' : ''}`,
    JSON.stringify(body),
  );
  if (view === null) throw new Error('the path is of no known dialect');
  return view;
};

const contents = [
  { role: 'user', parts: [{ text: 'What is the sea?' }] },
  {
    role: 'model',
    parts: [
      { thought: true, text: 'The user wonders.' },
      { text: 'Let me see.' },
      { functionCall: { name: 'look_up', args: { word: 'sea' } }, thoughtSignature: 'c2ln' },
      { functionCall: { id: 'fc-2', name: 'spell' } },
    ],
  },
  {
    role: 'user',
    parts: [
      { functionResponse: { name: 'look_up', response: { output: 'salt water' } } },
      { functionResponse: { id: 'fc-2', name: 'spell', response: { result: 's-e-a' } } },
      { text: 'And now?' },
    ],
  },
];

test('reads a request of the generate-content dialect as system text, turns, tools and fields', () => {
  const view = read(
    {
      systemInstruction: { parts: [{ text: 'You are ' }, { text: 'brief.' }] },
      contents,
      tools: [
        {
          functionDeclarations: [
            { name: 'look_up', description: 'Looks up.', parametersJsonSchema: { type: 'object' } },
          ],
        },
        { functionDeclarations: [{ name: 'spell', parameters: { type: 'OBJECT' } }] },
      ],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['spell'] } },
      generationConfig: {
        temperature: 1.7,
        topP: 0.3,
        maxOutputTokens: 512,
        stopSequences: ['END'],
        seed: -7,
        responseMimeType: 'application/json',
      },
    },
    'streamGenerateContent',
  );
  expect(view.model).toBe('g3p-2026-09');
  expect(view.stream).toBe(true);
  expect(textOf({ parts: view.system })).toBe('You are brief.');
  expect(view.turns.map((turn) => turn.role)).toEqual(['user', 'assistant', 'tool', 'tool', 'user']);
  expect(view.tools.map(({ name, schema }) => [name, schema])).toEqual([
    ['look_up', 'json-schema'],
    ['spell', 'own'],
  ]);
  expect(view.fields).toEqual({
    temperature: 1.7,
    top_p: 0.3,
    max_tokens: 512,
    stop: ['END'],
    seed: -7,
    tool_choice: { name: 'spell' },
    response_format: { type: 'json_object', schema: null },
    user: null,
  });
});

test('reads calls and their results with and without ids, and thoughts not as text', () => {
  const { turns } = read({ contents });
  expect(turns[1] && textOf(turns[1])).toBe('Let me see.');
  expect(turns[1]?.calls).toEqual([
    { id: null, name: 'look_up', arguments: { word: 'sea' }, cache: null },
    { id: 'fc-2', name: 'spell', arguments: {}, cache: null },
  ]);
  expect(turns.slice(2, 4).map((turn) => turn.result)).toEqual([
    { callId: null, name: 'look_up', value: { output: 'salt water' }, cache: null },
    { callId: 'fc-2', name: 'spell', value: { result: 's-e-a' }, cache: null },
  ]);
});

test('reads members in snake case like those in camel case', () => {
  const view = read({
    system_instruction: { parts: [{ text: 'Be brief.' }] },
    contents: [
      {
        role: 'user',
        parts: [
          { inline_data: { mime_type: 'image/png', data: 'iVBORw==' } },
          { fileData: { fileUri: 'https://media.example.com/sea.png' } },
        ],
      },
    ],
    generation_config: { max_output_tokens: 5, response_mime_type: 'text/plain' },
    tool_config: { function_calling_config: { mode: 'none' } },
  });
  expect(textOf({ parts: view.system })).toBe('Be brief.');
  expect(mediaOf(view.turns[0] ?? { parts: [] })).toMatchObject([
    { block: 'inlineData', mime: 'image/png', base64: 'iVBORw==', url: null },
    { block: 'fileData', mime: null, base64: null, url: 'https://media.example.com/sea.png' },
  ]);
  expect(view.fields).toMatchObject({ max_tokens: 5, tool_choice: 'none', response_format: null });
});
