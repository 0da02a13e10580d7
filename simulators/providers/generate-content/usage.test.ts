import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Content, Tool } from './request.ts';
import { countPrompt, renderCount, renderUsage, sumOf } from './usage.ts';

const content: fc.Arbitrary<Content> = fc.record({
  role: fc.constantFrom('user', 'model'),
  parts: fc.array(fc.record({ text: fc.string() }), { minLength: 1 }),
});
const tool: fc.Arbitrary<Tool> = fc.record({
  functionDeclarations: fc.tuple(fc.record({ name: fc.stringMatching(/^[a-z]{1,10}$/) })),
});
const prompt = fc.record({
  contents: fc.array(content, { minLength: 1, maxLength: 6 }),
  tools: fc.array(tool, { maxLength: 3 }),
});
type Prompt = Parameters<typeof countPrompt>[0];
const count = (given: Prompt): number => sumOf(countPrompt(given));

describe('prompt tokens', () => {
  it('grow with one more content, part, word or tool', () => {
    fc.assert(
      fc.property(prompt, tool, fc.nat(), ({ contents, tools }, added, place) => {
        const at = place % contents.length;
        const withPart = (text: string): Content[] =>
          contents.map((one, index) =>
            index === at ? { ...one, parts: [...(one.parts ?? []), { text }] } : one,
          );
        const before = count({ contents, tools });
        expect(
          count({ contents: contents.toSpliced(at, 0, { parts: [{ text: '' }] }), tools }),
        ).toBeGreaterThan(before);
        expect(count({ contents: withPart('word'), tools })).toBeGreaterThan(before);
        expect(count({ contents, tools: [...tools, added] })).toBeGreaterThan(before);
        expect(count({ contents, tools, systemInstruction: { parts: [{ text: '' }] } })).toBeGreaterThan(
          before,
        );
      }),
    );
  });

  it('count a medium by its presence and not by its bytes, under the name of its kind', () => {
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
  it('leaves out counts of nothing, but not those of prompt and total', () => {
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
