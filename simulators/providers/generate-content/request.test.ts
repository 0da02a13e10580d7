import { describe, expect, it } from 'vitest';
import type { NativeError } from './errors.ts';
import { type GenerateRequest, parseCount, parseGenerate } from './request.ts';

const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];
const bodyOf = (members: object): Buffer => Buffer.from(JSON.stringify({ contents, ...members }));

function read(members: object): GenerateRequest {
  const parsed = parseGenerate(bodyOf(members));
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.payload;
}

function refusal(body: Buffer): NativeError {
  const parsed = parseGenerate(body);
  if (parsed.ok) throw new Error('the body was accepted');
  return parsed.error;
}

function violations(members: object): unknown {
  const [detail = {}] = refusal(bodyOf(members)).details ?? [];
  return Reflect.get(detail, 'fieldViolations');
}

describe('the form of a request', () => {
  it('accepts names in camel and snake case', () => {
    const camel = {
      systemInstruction: { parts: [{ text: 'a' }] },
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } },
      generationConfig: { maxOutputTokens: 5, topP: 1, stopSequences: ['x'] },
      contents: [{ parts: [{ inlineData: { mimeType: 'image/png', data: 'AA==' } }] }],
    };
    const snake = {
      system_instruction: { parts: [{ text: 'a' }] },
      tool_config: { function_calling_config: { mode: 'ANY', allowed_function_names: ['f'] } },
      generation_config: { max_output_tokens: 5, top_p: 1, stop_sequences: ['x'] },
      contents: [{ parts: [{ inline_data: { mime_type: 'image/png', data: 'AA==' } }] }],
    };
    expect(read(snake)).toEqual(read(camel));
  });

  it('keeps names and nulls in values that the caller defines', () => {
    const args = { snake_case: null, __proto__x: { a_b: [null] } };
    const schema = { type: 'object', properties: { my_name: { type: ['string', 'null'] } }, x_y: null };
    const request = read({
      contents: [
        { role: 'model', parts: [{ function_call: { name: 'f', args } }] },
        { role: 'user', parts: [{ function_response: { name: 'f', response: args } }] },
      ],
      tools: [{ function_declarations: [{ name: 'f', parameters_json_schema: schema }] }],
      generation_config: { response_json_schema: schema },
    });
    expect(request.contents?.[0]?.parts?.[0]?.functionCall?.args).toEqual(args);
    expect(request.contents?.[1]?.parts?.[0]?.functionResponse?.response).toEqual(args);
    expect(request.tools?.[0]?.functionDeclarations?.[0]?.parametersJsonSchema).toEqual(schema);
    expect(request.generationConfig?.responseJsonSchema).toEqual(schema);
  });

  it('treats null as absent, and accepts whole numbers in quotes', () => {
    const request = read({ tools: null, generationConfig: { seed: '-7', temperature: null, topK: 3 } });
    expect(request).toEqual({ contents, generationConfig: { seed: -7, topK: 3 } });
  });

  it('reads its own schema language as JSON Schema, with unchanged property names', () => {
    const parameters = {
      type: 'OBJECT',
      properties: { first_name: { type: 'STRING', min_length: '3' }, any: { any_of: [{ type: 'number' }] } },
      property_ordering: ['any', 'first_name'],
    };
    expect(read({ tools: [{ functionDeclarations: [{ name: 'f', parameters }] }] }).tools).toMatchObject([
      {
        functionDeclarations: [
          {
            parameters: {
              type: 'object',
              properties: {
                first_name: { type: 'string', minLength: 3 },
                any: { anyOf: [{ type: 'number' }] },
              },
            },
          },
        ],
      },
    ]);
  });

  const part = (members: object): object => ({ contents: [{ parts: [members] }] });

  it.each([
    ['a member of the body', { stream: true }, undefined, '"stream"'],
    ['a member of a part', part({ text: 'a', cache: 1 }), 'contents[0].parts[0]', '"cache"'],
    ['a member of the configuration', { generationConfig: { n: 1 } }, 'generation_config', '"n"'],
    [
      'a word of JSON Schema in an own schema',
      {
        tools: [
          {
            functionDeclarations: [
              { name: 'f', parameters: { type: 'OBJECT', additionalProperties: false } },
            ],
          },
        ],
      },
      'tools[0].function_declarations[0].parameters',
      '"additionalProperties"',
    ],
  ])('has no room for %s that it does not know', (_what, members, field, name) => {
    expect(violations(members)).toEqual([
      { ...(field === undefined ? {} : { field }), description: expect.stringContaining(name) },
    ]);
  });

  it.each([
    ['a text', part({ text: 1 }), 'contents[0].parts[0].text'],
    ['bytes', part({ inlineData: { data: 'é' } }), 'contents[0].parts[0].inline_data.data'],
    ['a signature', part({ thoughtSignature: '%' }), 'contents[0].parts[0].thought_signature'],
    ['an object', part({ functionCall: { args: [] } }), 'contents[0].parts[0].function_call.args'],
    ['one content of a part', part({ text: 'a', fileData: {} }), 'contents[0].parts[0]'],
    ['a list', { contents: {} }, 'contents'],
    ['a whole number', { generationConfig: { maxOutputTokens: 1.5 } }, 'generation_config.max_output_tokens'],
    ['a 32-bit number', { generationConfig: { seed: 2 ** 31 } }, 'generation_config.seed'],
    ['a number', { generationConfig: { temperature: true } }, 'generation_config.temperature'],
    [
      'a mode',
      { toolConfig: { functionCallingConfig: { mode: 'auto' } } },
      'tool_config.function_calling_config.mode',
    ],
    [
      'a type',
      { generationConfig: { responseSchema: { type: 'text' } } },
      'generation_config.response_schema.type',
    ],
  ])('is refused when something else stands where %s belongs', (_what, members, field) => {
    expect(violations(members)).toEqual([{ field, description: expect.stringContaining(`'${field}'`) }]);
  });

  it('gets all its errors at once, in the format of google.rpc', () => {
    const error = refusal(bodyOf({ a: 1, generationConfig: { seed: 'x' } }));
    expect(error).toMatchObject({ code: 400, status: 'INVALID_ARGUMENT' });
    expect(error.message.split('\n')).toHaveLength(2);
    expect(error.details).toEqual([
      {
        '@type': 'type.googleapis.com/google.rpc.BadRequest',
        fieldViolations: [expect.anything(), expect.anything()],
      },
    ]);
  });

  it.each(['', '{"contents":', '[]', 'null', '"text"'])('is rejected if its body is %j', (body) => {
    expect(refusal(Buffer.from(body))).toMatchObject({ code: 400, status: 'INVALID_ARGUMENT' });
  });

  it('may have up to 100 levels, including those in the caller’s own objects', () => {
    const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    const body = (levels: number): Buffer =>
      Buffer.from(`{"contents":[{"parts":[{"functionCall":{"args":${nested(levels)}}}]}]}`);
    expect(parseGenerate(body(94)).ok).toBe(true);
    expect(refusal(body(95)).message).toContain('nested');
    expect(refusal(body(50_000)).message).toContain('nested');
  });
});

it('a token count accepts contents or a whole request, and no other member', () => {
  expect(parseCount(bodyOf({}))).toMatchObject({ ok: true });
  expect(parseCount(Buffer.from(JSON.stringify({ generate_content_request: { contents } })))).toEqual({
    ok: true,
    payload: { generateContentRequest: { contents } },
  });
  expect(parseCount(bodyOf({ systemInstruction: { parts: [{ text: 'a' }] } })).ok).toBe(false);
});
