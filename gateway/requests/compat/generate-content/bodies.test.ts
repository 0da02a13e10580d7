import { describe, expect, it } from 'vitest';
import { hi, parsed } from '../../../testing/generate-content-requests.ts';
import { compatGenerateContent } from './bodies.ts';

describe('the body for an upstream of the same dialect', () => {
  it('is the caller’s with all digits, but without a model', () => {
    const text =
      '{"contents":[{"parts":[{"text":"hi","odd":1e400}]}],"generation_config":{"seed":12345678901234567890,"top_k":1.0}}';
    const request = parsed(text.replace('{', '{"model":"other",'));
    if (request.native === null) throw new Error('no native form');
    const sent = compatGenerateContent.body(request, request.native, 'native-name');
    expect(sent).toBe(text);
  });

  it('has the limit of the fallback model, and no stop sequences if the upstream supports none', () => {
    const request = parsed({
      contents: [hi],
      generation_config: { max_output_tokens: 9, stop_sequences: ['a'] },
    });
    if (request.native === null) throw new Error('no native form');
    const fields = { ...request.fields, stop: null };
    const sent = compatGenerateContent.body({ ...request, fields, maxTokens: 5 }, request.native, 'x');
    expect(JSON.parse(sent)).toEqual({ contents: [hi], generation_config: { max_output_tokens: 5 } });
  });
});
