import { describe, expect, it } from 'vitest';
import type { NativeError } from './errors.ts';
import { parseGenerate } from './request.ts';
import { findBrokenRule } from './rules.ts';

const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];

function judge(members: object, isStrict = false): NativeError | null {
  const parsed = parseGenerate(Buffer.from(JSON.stringify({ contents, ...members })));
  if (!parsed.ok) throw new Error(parsed.error.message);
  return findBrokenRule(parsed.payload, 65_536, isStrict);
}

const ask = (...parts: object[]): object => ({ contents: [{ role: 'user', parts }] });
const say = (...parts: object[]): object => ({ contents: [{ role: 'model', parts }] });
const declare = (...functionDeclarations: object[]): object => ({ tools: [{ functionDeclarations }] });
const calling = (functionCallingConfig: object): object => ({ toolConfig: { functionCallingConfig } });
const config = (generationConfig: object): object => ({ generationConfig });
const f = { name: 'f' };
const only = (mode: string, name: string): object => ({
  ...declare(f),
  ...calling({ mode, allowedFunctionNames: [name] }),
});
const png = { mimeType: 'image/png', data: 'iVBORw0KGgo=' };
const uri = 'https://a.example/b';

describe('a request', () => {
  it.each([
    ['no role', { contents: [{ parts: [{ text: '' }] }] }],
    ['a type with parameters and in capitals', ask({ inlineData: { ...png, mimeType: 'Image/PNG; a=b' } })],
    ['the longest name of a function', declare({ name: `_${'a.:-9'.padEnd(127, 'z')}` })],
    [
      'the least values',
      config({ temperature: 0, topP: 0, topK: 1, maxOutputTokens: 1, candidateCount: 1, seed: -(2 ** 31) }),
    ],
    [
      'the largest values',
      config({ temperature: 2, topP: 1, topK: 64, maxOutputTokens: 65_536, seed: 2 ** 31 - 1 }),
    ],
    ['five stop sequences', config({ stopSequences: ['a', 'b', 'c', 'd', ' '] })],
  ])('may have %s', (_what, members) => {
    expect(judge(members)).toBeNull();
  });

  it.each([
    ['no contents', { contents: [] }, 'contents'],
    ['a role of another dialect', { contents: [{ role: 'assistant', parts: [{ text: 'a' }] }] }, 'role'],
    ['no parts', { contents: [...contents, { role: 'user', parts: [] }] }, 'contents[1].parts:'],
    ['an empty part', ask({ text: 'a' }, {}), 'contents[0].parts[1].data:'],
    ['a signature alone', say({ thoughtSignature: 'AAAA' }), 'contents[0].parts[0].data:'],
    ['data without a type', ask({ inlineData: { data: 'AA==' } }), 'contents[0].parts[0].inline_data:'],
    ['data of another type', ask({ inlineData: { ...png, mimeType: 'image/gif' } }), 'image/gif'],
    ['no data', ask({ inlineData: { ...png, data: '' } }), 'contents[0].parts[0].inline_data:'],
    ['a file without an address', ask({ fileData: { mimeType: 'image/png' } }), 'file uri'],
    ['an address that is none', ask({ fileData: { fileUri: 'data:image/png;base64,AA==' } }), 'file uri'],
    ['a file of another type', ask({ fileData: { fileUri: uri, mimeType: 'image/bmp' } }), 'image/bmp'],
    ['a file of an empty type', ask({ fileData: { fileUri: uri, mimeType: '' } }), 'file_data'],
    ['a call without a name', say({ functionCall: { args: {} } }), 'function_call'],
    ['a call of the user', ask({ functionCall: f }), 'function_call'],
    ['a response without a name', ask({ functionResponse: { response: {} } }), 'function_response'],
    ['a response without its content', ask({ functionResponse: f }), 'function_response'],
    ['a response of the model', say({ functionResponse: { ...f, response: {} } }), 'function_response'],
    ['an empty instruction', { systemInstruction: { parts: [] } }, 'system_instruction'],
    [
      'an image as instruction',
      { systemInstruction: { parts: [{ inlineData: png }] } },
      'system_instruction',
    ],
    ['a function without a name', declare({}), 'tools[0].function_declarations[0].name'],
    ['a name that begins with a digit', declare(f, { name: '1f' }), 'tools[0].function_declarations[1].name'],
    ['a name that is too long', declare({ name: 'a'.repeat(129) }), 'function_declarations[0].name'],
    ['a name with a space', declare({ name: 'a b' }), 'function_declarations[0].name'],
    ['a function declared twice', { tools: [f, f].map((one) => ({ functionDeclarations: [one] })) }, 'twice'],
    ['two schemas of parameters', declare({ ...f, parameters: {}, parametersJsonSchema: {} }), 'parameters'],
    ['a forced call without functions', calling({ mode: 'ANY' }), 'ANY'],
    ['allowed names without force', only('AUTO', 'f'), 'ANY'],
    ['an allowed name that is not declared', only('ANY', 'g'), '"g"'],
    ['too high a temperature', config({ temperature: 2.01 }), 'generation_config.temperature'],
    ['a negative temperature', config({ temperature: -0.01 }), 'generation_config.temperature'],
    ['too large a topP', config({ topP: 1.01 }), 'generation_config.top_p'],
    ['no topK', config({ topK: 0 }), 'generation_config.top_k'],
    ['no token at all', config({ maxOutputTokens: 0 }), 'generation_config.max_output_tokens'],
    [
      'more tokens than the model gives',
      config({ maxOutputTokens: 65_537 }),
      'generation_config.max_output_tokens',
    ],
    ['too large a penalty', config({ presencePenalty: 2.1 }), 'generation_config.presence_penalty'],
    ['no candidate', config({ candidateCount: 0 }), 'generation_config.candidate_count'],
    ['nine candidates', config({ candidateCount: 9 }), 'generation_config.candidate_count'],
    ['two candidates', config({ candidateCount: 2 }), 'candidate'],
    [
      'six stop sequences',
      config({ stopSequences: ['a', 'b', 'c', 'd', 'e', 'f'] }),
      'generation_config.stop_sequences',
    ],
    ['an empty stop sequence', config({ stopSequences: ['a', ''] }), 'generation_config.stop_sequences'],
    [
      'another type of answer',
      config({ responseMimeType: 'text/html' }),
      'generation_config.response_mime_type',
    ],
    [
      'a schema for a text',
      config({ responseSchema: { type: 'OBJECT' } }),
      'generation_config.response_mime_type',
    ],
    [
      'two schemas of the answer',
      config({ responseMimeType: 'application/json', responseSchema: {}, responseJsonSchema: {} }),
      'generation_config.response_schema',
    ],
  ])('is refused with %s', (_what, members, message) => {
    expect(judge(members)).toMatchObject({
      code: 400,
      status: 'INVALID_ARGUMENT',
      message: expect.stringContaining(message),
    });
  });

  it('is rejected if it names a cache, because none exists', () => {
    expect(judge({ cachedContent: 'cachedContents/a' })).toMatchObject({
      code: 403,
      status: 'PERMISSION_DENIED',
    });
  });
});
