import { describe, expect, it } from 'vitest';
import { chatRequest, generateContentBodyOf as native } from '../../testing/native-body.ts';
import { call, tool, user } from '../../testing/request-parts.ts';
import { generateContentBody, generateContentCountBody } from './generate-content.ts';

describe('tools', () => {
  it.for([
    [{}, { type: 'object' }],
    [{ properties: { a: {} } }, { type: 'object', properties: { a: {} } }],
    [{ type: ['object', 'null'] }, { type: ['object', 'null'] }],
    [
      { $ref: '#/$defs/a', $defs: { a: {} } },
      { $ref: '#/$defs/a', $defs: { a: {} } },
    ],
  ])('declare an object schema for their arguments, unless it is a reference: %j', ([parameters, schema]) => {
    const [{ functionDeclarations }] = native({ tools: [tool('f', { parameters })] }).tools;
    expect(functionDeclarations).toEqual([{ name: 'f', parametersJsonSchema: schema }]);
  });

  it.for([
    [undefined, undefined],
    ['auto', { mode: 'AUTO' }],
    ['none', { mode: 'NONE' }],
    ['required', { mode: 'ANY' }],
    [
      { type: 'function', function: { name: 'g' } },
      { mode: 'ANY', allowedFunctionNames: ['g'] },
    ],
  ] as const)('map the choice %j', ([tool_choice, config]) => {
    const body = native({ tools: [tool('f'), tool('g')], tool_choice, parallel_tool_calls: true });
    expect(body.toolConfig?.functionCallingConfig).toEqual(config);
  });

  it('get unique names wherever the dialect does not allow theirs', () => {
    const long = '9'.repeat(64);
    const names = ['-', '_-', '9', 'f', long, `_${long.slice(1)}`];
    const messages = [
      user,
      { role: 'assistant', tool_calls: [call('a', '-', '{}'), call('b', 'old 😀', '{}')] },
      { role: 'tool', tool_call_id: 'a', content: 'x' },
      { role: 'tool', tool_call_id: 'b', content: 'y' },
    ];
    const tool_choice = { type: 'function', function: { name: '-' } };
    const tools = names.map((name) => tool(name));
    const { body, givenNames } = generateContentBody(
      chatRequest({ messages, tools, tool_choice }, 'gamma-3-pro'),
    );
    const sent = JSON.parse(body);
    const declared: string[] = sent.tools[0].functionDeclarations.map(({ name }: { name: string }) => name);
    expect(declared).toEqual(['_1_-', '_-', '_9', 'f', `_1_${long.slice(3)}`, `_${long.slice(1)}`]);
    expect([...(givenNames ?? [])]).toEqual([
      ['_1_-', '-'],
      ['_9', '9'],
      [`_1_${long.slice(3)}`, long],
    ]);
    expect(sent.toolConfig.functionCallingConfig.allowedFunctionNames).toEqual(['_1_-']);
    expect(
      sent.contents[1].parts.map((part: { functionCall: { name: string } }) => part.functionCall.name),
    ).toEqual(['_1_-', '_old___']);
    expect(sent.contents[2].parts[0].functionResponse.name).toBe('_1_-');
  });
});

describe('the configuration', () => {
  it.for([
    [
      { temperature: 2, top_p: 0.5 },
      { temperature: 2, topP: 0.5 },
    ],
    [{ max_tokens: 65_536 }, { maxOutputTokens: 65_536 }],
    [{ max_tokens: 900_000 }, { maxOutputTokens: 900_000 }],
    [{ stop: 'x' }, { stopSequences: ['x'] }],
    [{ stop: ['a', 'b'] }, { stopSequences: ['a', 'b'] }],
    [{ seed: 5 }, { seed: 5 }],
    [{ seed: -1 }, { seed: -1 }],
    [{ seed: 2 ** 31 }, { seed: -(2 ** 31) }],
    [{ response_format: { type: 'json_object' } }, { responseMimeType: 'application/json' }],
    [
      { response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' } } } },
      { responseMimeType: 'application/json', responseJsonSchema: { type: 'object' } },
    ],
    [
      { response_format: { type: 'json_schema', json_schema: { name: 'n' } } },
      { responseMimeType: 'application/json' },
    ],
  ] as const)('writes %j as %j', ([given, config]) => {
    expect(native(given).generationConfig).toEqual(config);
  });

  it('keeps the low 32 bits of a 64-bit seed', () => {
    const body = '{"model":"m","messages":[{"role":"user","content":"hi"}],"seed":9223372036854775807}';
    const sent = JSON.parse(generateContentBody(chatRequest(body, 'gamma-3-flash')).body);
    expect(sent.generationConfig).toEqual({ seed: -1 });
  });
});

it('the body for counting equals the sent body, plus the native name', () => {
  const request = chatRequest({ messages: [user], tools: [tool('f')] }, 'gamma-3-pro');
  expect(JSON.parse(generateContentCountBody(request, 'native-x'))).toEqual({
    generateContentRequest: { model: 'models/native-x', ...JSON.parse(generateContentBody(request).body) },
  });
});

it('keeps the digits of arguments and schemas', () => {
  const body = `{"model":"m","messages":[{"role":"user","content":"hi"},
    {"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\\"n\\":12345678901234567890}"}}]},
    {"role":"tool","tool_call_id":"a","content":"x"}],
    "tools":[{"type":"function","function":{"name":"f","parameters":{"maximum":98765432109876543210}}}],
    "response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"const":11111111111111111111}}}}`;
  const text = generateContentBody(chatRequest(body, 'gamma-3-pro')).body;
  for (const digits of ['12345678901234567890', '98765432109876543210', '11111111111111111111'])
    expect(text).toContain(digits);
});
