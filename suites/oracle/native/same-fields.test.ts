import { expect, test } from 'vitest';
import { readCaller, readNative } from './read.ts';
import { type ForwardedField, fieldFault } from './same-fields.ts';
import type { NativeView } from './view.ts';

const chat = (body: object): NativeView =>
  readNative('/v1/chat/completions', JSON.stringify(body)) as NativeView;
const messages = (body: object): NativeView => readNative('/v1/messages', JSON.stringify(body)) as NativeView;
const generate = (body: object): NativeView =>
  readNative('/v1beta/models/g:generateContent', JSON.stringify(body)) as NativeView;

const tool = (name: string, parameters?: object): object => ({
  type: 'function',
  function: { name, description: 'd', ...(parameters ? { parameters } : {}) },
});
const place = {
  type: 'object',
  properties: { word: { type: 'string' } },
  required: ['word'],
  additionalProperties: false,
};

type Case = readonly [name: ForwardedField, sent: object, seen: NativeView, arrives: boolean];

const cases: readonly Case[] = [
  ['temperature', {}, chat({ temperature: 1 }), true],
  ['temperature', {}, chat({ temperature: 0.7 }), false],
  ['temperature', { temperature: 1.7 }, messages({ temperature: 1 }), true],
  ['temperature', { temperature: 1.7 }, messages({ temperature: 0.85 }), false],
  ['temperature', { temperature: 1.7 }, generate({ generationConfig: { temperature: 1 } }), false],
  ['temperature', { temperature: 0 }, messages({}), false],
  ['temperature', { temperature: 0.5, top_p: 0.5 }, messages({ top_p: 0.5 }), true],
  ['top_p', { temperature: 0.5, top_p: 0.5 }, messages({ temperature: 0.5 }), true],
  ['top_p', { temperature: 0.5, top_p: 0.5 }, messages({}), false],
  ['temperature', { temperature: 0, top_p: 1 }, messages({ top_p: 1 }), false],
  ['top_p', { temperature: 1, top_p: 0.5 }, messages({ temperature: 1 }), false],
  ['top_p', { temperature: 2, top_p: 0.5 }, messages({ temperature: 1 }), true],
  ['temperature', { temperature: 2, top_p: 0.5 }, messages({ top_p: 0.5 }), true],
  ['top_p', { top_p: 0.5 }, generate({}), false],
  ['max_tokens', {}, messages({ max_tokens: 64_000 }), true],
  ['max_tokens', {}, messages({ max_tokens: 1_024 }), false],
  ['max_tokens', { max_tokens: 100_000 }, generate({ generationConfig: { maxOutputTokens: 65_536 } }), true],
  ['max_tokens', { max_tokens: 512 }, generate({ generationConfig: { maxOutputTokens: 511 } }), false],
  ['max_tokens', { max_tokens: 512 }, generate({}), false],
  ['stop', { stop: 'END' }, messages({ stop_sequences: ['END'] }), true],
  ['stop', { stop: ['a', 'b'] }, messages({ stop_sequences: ['a'] }), false],
  ['stop', { stop: ['a', '\n\n'] }, messages({ stop_sequences: ['a'] }), true],
  ['stop', { stop: ['a', '\n\n'] }, generate({ generationConfig: { stopSequences: ['a'] } }), false],
  ['seed', { seed: 5 }, messages({}), true],
  ['seed', { seed: 5 }, generate({}), false],
  ['seed', { seed: 2 ** 40 }, generate({ generationConfig: { seed: 0 } }), true],
  ['seed', { seed: 5 }, chat({ seed: 6 }), false],
  [
    'tools',
    { tools: [tool('f')] },
    messages({ tools: [{ name: 'f', description: 'd', input_schema: { type: 'object', properties: {} } }] }),
    true,
  ],
  [
    'tools',
    { tools: [tool('f', place)] },
    messages({ tools: [{ name: 'f', description: 'd', input_schema: place }] }),
    true,
  ],
  [
    'tools',
    { tools: [tool('f', place)] },
    messages({ tools: [{ name: 'f', description: 'd', input_schema: { ...place, required: [] } }] }),
    false,
  ],
  ['tools', { tools: [tool('f', place)] }, messages({ tools: [{ name: 'f', input_schema: place }] }), false],
  [
    'tools',
    { tools: [tool('0', place)] },
    generate({
      tools: [{ functionDeclarations: [{ name: '_0', description: 'd', parametersJsonSchema: place }] }],
    }),
    true,
  ],
  [
    'tools',
    { tools: [tool('f', place)] },
    generate({
      tools: [{ functionDeclarations: [{ name: '_f', description: 'd', parametersJsonSchema: place }] }],
    }),
    false,
  ],
  [
    'tools',
    { tools: [tool('f', place)] },
    generate({
      tools: [
        {
          functionDeclarations: [
            {
              name: 'f',
              description: 'd',
              parameters: { type: 'OBJECT', properties: { word: { type: 'STRING' } }, required: ['word'] },
            },
          ],
        },
      ],
    }),
    true,
  ],
  [
    'tools',
    { tools: [tool('f', place)] },
    generate({
      tools: [
        {
          functionDeclarations: [
            {
              name: 'f',
              description: 'd',
              parameters: { type: 'OBJECT', properties: { word: { type: 'INTEGER' } }, required: ['word'] },
            },
          ],
        },
      ],
    }),
    false,
  ],
  ['tools', { tools: [tool('f'), tool('g')] }, messages({ tools: [{ name: 'f', description: 'd' }] }), false],
  [
    'tool_choice',
    { tools: [tool('f')], tool_choice: 'required' },
    messages({ tools: [{ name: 'f', description: 'd' }], tool_choice: { type: 'tool', name: 'f' } }),
    true,
  ],
  [
    'tool_choice',
    { tools: [tool('f'), tool('g')], tool_choice: 'required' },
    messages({ tools: [{ name: 'f' }, { name: 'g' }], tool_choice: { type: 'tool', name: 'f' } }),
    false,
  ],
  ['tool_choice', { tools: [tool('f')], tool_choice: 'none' }, messages({ tools: [{ name: 'f' }] }), false],
  [
    'response_format',
    { response_format: { type: 'json_object' } },
    messages({ tools: [{ name: 'json' }] }),
    true,
  ],
  ['response_format', { response_format: { type: 'json_object' } }, messages({}), false],
  [
    'response_format',
    { response_format: { type: 'json_object' } },
    generate({ generationConfig: { responseMimeType: 'application/json' } }),
    true,
  ],
  ['response_format', {}, generate({ generationConfig: { responseMimeType: 'application/json' } }), false],
  [
    'response_format',
    { response_format: { type: 'json_object' } },
    chat({ response_format: { type: 'json_object' } }),
    true,
  ],
];

test.each(cases)(
  'judges whether %s of %j arrived by what the dialect can express',
  (name, sent, seen, arrives) => {
    expect(fieldFault(name, readCaller(sent), seen) === null).toBe(arrives);
  },
);
