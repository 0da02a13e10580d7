import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyCharacter } from './any-character.ts';

it('draws the same strings as the library’s own unit', () => {
  const sampled = (unit: 'binary' | fc.Arbitrary<string>): string[] =>
    fc.sample(fc.string({ unit, maxLength: 20 }), { seed: 5, numRuns: 1_000 });
  expect(sampled(anyCharacter)).toEqual(sampled('binary'));
});

it.each(['\0', '\ud7ff', '\ue000', '\u{10ffff}'])(
  'can be %j, which shrinks as it does when drawn',
  (edge) => {
    expect(anyCharacter.canShrinkWithoutContext(edge)).toBe(true);
  },
);

it.each(['', 'ab', '\ud800', 1])('is never %j', (value) => {
  expect(anyCharacter.canShrinkWithoutContext(value)).toBe(false);
});
