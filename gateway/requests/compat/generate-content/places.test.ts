import { describe, expect, it } from 'vitest';
import { GatewayError } from '../../../errors/gateway-error.ts';
import { hi, model, parsed, user } from '../../../testing/generate-content-requests.ts';
import { paramOf } from '../../chat-request.ts';

describe('a native body with an error', () => {
  it.for<[string, object]>([
    ['contents', {}],
    ['contents', { contents: [] }],
    ['contents', { contents: 'hi' }],
    ['contents[0]', { contents: ['hi'] }],
    ['contents[0].role', { contents: [{ role: 'assistant', parts: [{ text: 'a' }] }] }],
    ['contents[0].role', { contents: [{ role: 'system', parts: [{ text: 'a' }] }] }],
    ['contents[0].parts', { contents: [{ role: 'user' }] }],
    ['contents[0].parts', { contents: [user()] }],
    ['contents[1].parts[0]', { contents: [hi, { parts: ['hi'] }] }],
    ['contents[0].parts[1].text', { contents: [user({ text: 'a' }, { text: 5 })] }],
    ['contents[0].parts[0].inline_data', { contents: [user({ inline_data: 'x' })] }],
    ['contents[0].parts[0].functionCall', { contents: [model({ functionCall: [] })] }],
    ['systemInstruction', { contents: [hi], systemInstruction: 5 }],
    ['systemInstruction.parts', { contents: [hi], systemInstruction: { parts: { 0: { text: 'be kind' } } } }],
    [
      'systemInstruction.role',
      { contents: [hi], systemInstruction: { role: [5], parts: [{ text: 'be kind' }] } },
    ],
    ['generationConfig', { contents: [hi], generationConfig: [] }],
    ['generationConfig.temperature', { contents: [hi], generationConfig: { temperature: 2.1 } }],
    ['generationConfig.maxOutputTokens', { contents: [hi], generationConfig: { maxOutputTokens: 0 } }],
    [
      'generation_config.max_output_tokens',
      { contents: [hi], generation_config: { max_output_tokens: 1.5 } },
    ],
    ['generationConfig.candidateCount', { contents: [hi], generationConfig: { candidateCount: 2 } }],
    ['tool_config', { contents: [hi], toolConfig: {}, tool_config: {} }],
    [
      'generationConfig.max_output_tokens',
      { contents: [hi], generationConfig: { maxOutputTokens: 1, max_output_tokens: 9_000_000 } },
    ],
    ['tools', { contents: [hi], tools: {} }],
    ['tools[0]', { contents: [hi], tools: ['f'] }],
    ['toolConfig', { contents: [hi], toolConfig: 'AUTO' }],
    ['safetySettings', { contents: [hi], safetySettings: {} }],
  ])('is refused by the place of the fault: %s', ([param, body]) => {
    let thrown: unknown;
    try {
      parsed(body);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(GatewayError);
    expect(thrown).toMatchObject({ code: 'invalid_param', param });
  });
});

describe('paths in the caller’s spelling', () => {
  it('use the spelling of the caller', () => {
    const request = parsed({
      system_instruction: 'be',
      contents: [hi, user({ text: 'a' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } })],
      generation_config: { max_output_tokens: 1, responseSchema: {} },
    });
    const placeOf = (param: string) => paramOf(request, param);
    expect(placeOf('messages')).toBe('contents');
    expect(placeOf('messages[0]')).toBe('system_instruction');
    expect(placeOf('messages[2].content[1]')).toBe('contents[1].parts[1]');
    expect(placeOf('messages[2].content[1].image_url.url')).toBe('contents[1].parts[1]');
    expect(placeOf('messages[1].content')).toBe('contents[0]');
    expect(placeOf('max_tokens')).toBe('generation_config.max_output_tokens');
    expect(placeOf('response_format')).toBe('generation_config.responseSchema');
    expect([...request.given].sort()).toEqual(['max_tokens', 'messages', 'response_format', 'system']);
  });
});
