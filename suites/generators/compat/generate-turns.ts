import fc from 'fast-check';
import { upstreamText } from '../upstream-text.ts';

/** One turn of a conversation in the generate-content protocol. */
export interface GenerateTurn {
  readonly role: 'user' | 'model';
  readonly parts: readonly Readonly<Record<string, unknown>>[];
}

const signature = fc
  .base64String({ minLength: 4, maxLength: 24 })
  .filter((text) => text !== '')
  .map((thoughtSignature) => ({ thoughtSignature }));

const said = upstreamText.map((text) => ({ text }));

const userTurn: fc.Arbitrary<GenerateTurn> = fc
  .array(said, { minLength: 1, maxLength: 4 })
  .map((parts) => ({ role: 'user', parts }));

/** Turns of a model may carry thought signatures, which the upstream needs back. */
const modelTurn: fc.Arbitrary<GenerateTurn> = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: said },
      { weight: 1, arbitrary: fc.tuple(said, signature).map(([part, more]) => ({ ...part, ...more })) },
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) => ({ role: 'model', parts }));

/** The turns before the last one: mostly alternating, sometimes two of the same role in a row. */
export const generateTurns: fc.Arbitrary<readonly GenerateTurn[]> = fc.array(fc.oneof(userTurn, modelTurn), {
  maxLength: 8,
});

/** Two turns of each role in a row, and equal texts. A gateway might merge them by mistake. */
export const turnExamples: readonly (readonly GenerateTurn[])[] = [
  [
    { role: 'user', parts: [{ text: 'one' }] },
    { role: 'user', parts: [{ text: 'one' }] },
    { role: 'user', parts: [{ text: 'one' }, { text: 'two' }] },
    { role: 'model', parts: [{ text: 'two' }] },
    { role: 'model', parts: [{ text: ' ' }, { text: 'three', thoughtSignature: 'c2VhLXNlYQ==' }] },
  ],
  [{ role: 'model', parts: [{ text: 'I begin.' }] }],
  [
    {
      role: 'user',
      parts: [
        { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } },
        { text: 'Which one is the sea?' },
        { fileData: { mimeType: 'image/jpeg', fileUri: 'https://media.example.com/files/sea.jpg' } },
      ],
    },
    { role: 'model', parts: [{ text: 'Hm.', thought: true }, { text: 'The second.' }] },
  ],
];
