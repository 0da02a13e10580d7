import { describe, expect, it } from 'vitest';
import type { Content } from './request.ts';
import { countPrompt, renderCount, renderUsage, sumOf } from './usage.ts';

type Prompt = Parameters<typeof countPrompt>[0];
const count = (given: Prompt): number => sumOf(countPrompt(given));

describe('prompt tokens', () => {
  it('count a medium once under its modality, regardless of its bytes', () => {
    const parts = (data: string): Content['parts'] => [
      { text: 'see' },
      { inlineData: { mimeType: 'image/png', data } },
      { inlineData: { mimeType: 'Application/PDF', data } },
      { fileData: { fileUri: 'https://a.example/a', mimeType: 'audio/mp3' } },
      { fileData: { fileUri: 'https://a.example/b' } },
    ];
    for (const data of ['AA==', 'A'.repeat(1000)]) {
      expect(renderCount(countPrompt({ contents: [{ parts: parts(data) ?? [] }] }))).toEqual({
        totalTokens: 5 + 4 * 85,
        promptTokensDetails: [
          { modality: 'TEXT', tokenCount: 5 },
          { modality: 'IMAGE', tokenCount: 170 },
          { modality: 'DOCUMENT', tokenCount: 85 },
          { modality: 'AUDIO', tokenCount: 85 },
        ],
      });
    }
  });

  it('count calls and responses by name and JSON', () => {
    const of = (part: NonNullable<Content['parts']>[number]): number =>
      count({ contents: [{ parts: [part] }] });
    expect(of({ functionCall: { name: 'look_up' } })).toBe(4 + 1 + 2);
    expect(of({ functionCall: { name: 'look_up', args: { a: 1 } } })).toBe(4 + 1 + 7);
    expect(of({ functionResponse: { name: 'look_up', response: { a: 1 } } })).toBe(4 + 1 + 7);
  });
});

describe('usage', () => {
  it('omits zero counts, except for prompt and total', () => {
    const details = { promptTokensDetails: [{ modality: 'TEXT', tokenCount: 0 }] };
    expect(renderUsage({ prompt_tokens: 0, completion_tokens: 0 })).toEqual({
      promptTokenCount: 0,
      totalTokenCount: 0,
      ...details,
    });
    expect(
      renderUsage({ prompt_tokens: 1706, completion_tokens: 2999, reasoning_tokens: 2999 }),
    ).toMatchObject({
      thoughtsTokenCount: 2999,
      totalTokenCount: 4705,
    });
  });
});
