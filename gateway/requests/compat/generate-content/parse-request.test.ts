import { describe, expect, it } from 'vitest';
import { hi, model, parsed, user } from '../../../testing/generate-content-requests.ts';
import type { ChatRequest } from '../../chat-request.ts';

const asked = (more: object) => parsed({ contents: [hi], ...more });
const configured = (generationConfig: object) => asked({ generationConfig });
const declared = (...functionDeclarations: object[]) => asked({ tools: [{ functionDeclarations }] });
const beyondOf = (request: ChatRequest) => request.native?.nativeOnly;

describe('a native request in common form', () => {
  it('starts with the instruction as a system message, and keeps the order of turns', () => {
    const contents = [hi, model({ text: 'a' }, { text: 'b' }), { parts: [{ text: 'c' }, { text: 'd' }] }];
    const request = parsed({ systemInstruction: { parts: [{ text: 'be' }, { text: 'kind' }] }, contents });
    expect(request.fields.messages).toEqual([
      { role: 'system', content: 'be\nkind' },
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'ab' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'c' },
          { type: 'text', text: 'd' },
        ],
      },
    ]);
    expect(beyondOf(request)).toEqual([]);
  });

  it.for([['be kind'], [{ parts: { text: 'be kind' } }]])('accepts the instruction %j', ([given]) => {
    for (const name of ['systemInstruction', 'system_instruction']) {
      const request = asked({ [name]: given });
      expect(request.fields.messages[0]).toEqual({ role: 'system', content: 'be kind' });
      expect(beyondOf(request)).toEqual([]);
    }
  });

  it('has calls and results, matched by id or by order', () => {
    const call = (name: string, more: object = {}) => ({ functionCall: { name, args: { q: 1 }, ...more } });
    const contents = [
      hi,
      model(call('f', { id: 'mine' }), { ...call('g'), thoughtSignature: 'c2ln' }, call('g')),
      user(
        { text: 'look' },
        { functionResponse: { name: 'g', response: { output: 'one' } } },
        { functionResponse: { name: 'g', response: { result: [2] } } },
        { functionResponse: { id: 'mine', name: 'f', response: { a: 1, b: 2 } } },
      ),
    ];
    const request = parsed({ contents });
    const called = (id: string, name: string, more: object = {}) => ({
      id,
      type: 'function',
      function: { name, arguments: '{"q":1}' },
      ...more,
    });
    expect(request.fields.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          called('mine', 'f'),
          called('call_2', 'g', { extra_content: { thought_signature: 'c2ln' } }),
          called('call_3', 'g'),
        ],
      },
      { role: 'tool', tool_call_id: 'call_2', content: 'one' },
      { role: 'tool', tool_call_id: 'call_3', content: '[2]' },
      { role: 'tool', tool_call_id: 'mine', content: '{"a":1,"b":2}' },
      { role: 'user', content: 'look' },
    ]);
    expect(beyondOf(request)).toEqual([]);
  });

  it('has media as image blocks', () => {
    const request = parsed({
      contents: [
        user(
          { inlineData: { mimeType: 'application/pdf', data: 'JVBERg==' } },
          { file_data: { mime_type: 'image/png', file_uri: 'https://example.org/picture' } },
        ),
      ],
    });
    expect(request.fields.messages[0]?.content).toMatchObject([
      { image_url: { url: 'data:application/pdf;base64,JVBERg==' } },
      { image_url: { url: 'https://example.org/picture' } },
    ]);
    expect(beyondOf(request)).toEqual([]);
  });

  it('has functions as tools, with schemas of either kind', () => {
    const parameters = {
      type: 'OBJECT',
      properties: {
        q: { type: 'STRING', nullable: true, enum: ['a'] },
        list: { type: 'ARRAY', items: { type: 'INTEGER' }, minItems: '1' },
        either: { any_of: [{ type: 'NUMBER' }, { type: 'BOOLEAN' }] },
      },
      required: ['q'],
      propertyOrdering: ['q', 'list'],
    };
    const request = declared(
      { name: 'f', description: 'does', parameters },
      { name: 'g', parametersJsonSchema: { type: 'object', $defs: {} } },
      { name: 'h' },
    );
    expect(request.fields.tools?.map((tool) => tool.function)).toEqual([
      {
        name: 'f',
        description: 'does',
        parameters: {
          type: 'object',
          properties: {
            q: { type: ['string', 'null'], enum: ['a'] },
            list: { type: 'array', items: { type: 'integer' }, minItems: 1 },
            either: { anyOf: [{ type: 'number' }, { type: 'boolean' }] },
          },
          required: ['q'],
        },
      },
      { name: 'g', parameters: { type: 'object', $defs: {} } },
      { name: 'h' },
    ]);
    expect(beyondOf(request)).toEqual([]);
  });

  it.for([
    [{ mode: 'AUTO' }, 'auto'],
    [{ mode: 'NONE' }, 'none'],
    [{ mode: 'ANY' }, 'required'],
    [
      { mode: 'ANY', allowed_function_names: ['f'] },
      { type: 'function', function: { name: 'f' } },
    ],
  ] as const)('maps the tool choice %j', ([functionCallingConfig, choice]) => {
    const tools = [{ functionDeclarations: [{ name: 'f' }] }];
    const request = asked({ tools, toolConfig: { functionCallingConfig } });
    expect(request.fields.tool_choice).toEqual(choice);
    expect(beyondOf(request)).toEqual([]);
  });

  it.for([
    [
      { temperature: 2, topP: 0.5, seed: 7 },
      { temperature: 2, top_p: 0.5, seed: 7 },
    ],
    [
      { maxOutputTokens: 10, stop_sequences: ['a'] },
      { max_tokens: 10, stop: ['a'] },
    ],
    [{ responseMimeType: 'application/json' }, { response_format: { type: 'json_object' } }],
    [{ responseMimeType: 'text/plain', candidateCount: 1, topK: null }, {}],
    [
      { responseMimeType: 'application/json', responseSchema: { type: 'OBJECT' } },
      {
        response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: { type: 'object' } } },
      },
    ],
  ] as const)('maps the settings %j', ([settings, fields]) => {
    const request = configured(settings);
    const { model: _model, messages: _messages, ...rest } = request.fields;
    expect(rest).toEqual(fields);
    expect(beyondOf(request)).toEqual([]);
  });
});

describe('fields that the common form cannot express', () => {
  it.for<[string, object]>([
    ['safetySettings', { safetySettings: [] }],
    ['cachedContent', { cachedContent: 'cachedContents/1' }],
    ['whatever', { whatever: 0 }],
    ['generationConfig.topK', { generationConfig: { topK: 1 } }],
    ['generation_config.thinking_config', { generation_config: { thinking_config: {} } }],
    ['generationConfig.stopSequences', { generationConfig: { stopSequences: [...'abcde'] } }],
    ['generationConfig.topP', { generationConfig: { topP: 2 } }],
    ['generationConfig.seed', { generationConfig: { seed: '1' } }],
    ['generationConfig.responseMimeType', { generationConfig: { responseMimeType: 'text/x.enum' } }],
    ['generationConfig.responseJsonSchema', { generationConfig: { responseJsonSchema: {} } }],
    ['tools[0].googleSearch', { tools: [{ googleSearch: {} }] }],
    [
      'tools[0].functionDeclarations[0]',
      { tools: [{ functionDeclarations: [{ name: 'f', parameters: { type: 'ODD', oneOf: [] } }] }] },
    ],
    ['toolConfig.functionCallingConfig', { toolConfig: { functionCallingConfig: { mode: 'VALIDATED' } } }],
    ['toolConfig.retrievalConfig', { toolConfig: { retrievalConfig: {} } }],
    ['systemInstruction.parts[0]', { systemInstruction: { parts: [{ inlineData: {} }] } }],
    ['contents[0].parts[0]', { contents: [model({ text: 'x', thought: true })] }],
    ['contents[0].parts[0]', { contents: [user({ fileData: { fileUri: 'gs://bucket/a' } })] }],
    ['contents[0].parts[0]', { contents: [user({ executableCode: {} })] }],
    ['contents[0].parts[0]', { contents: [user({ functionCall: { name: 'f' } })] }],
    ['contents[0].parts[0]', { contents: [model({ functionCall: { name: 'f' } }), hi] }],
    ['contents[0].parts[0]', { contents: [user({ functionResponse: { name: 'f' } })] }],
    [
      'contents[0].parts[0].videoMetadata',
      { contents: [user({ inlineData: { mimeType: 'video/mp4', data: 'AAAA' }, videoMetadata: {} })] },
    ],
  ])('is named by its place: %s', ([path, body]) => {
    expect(beyondOf(asked(body))).toContain(path);
  });
});
