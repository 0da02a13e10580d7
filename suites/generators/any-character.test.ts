import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyCharacter } from './any-character.ts';

it('draws the same strings as the unit of fast-check', () => {
  const sampled = (unit: 'binary' | fc.Arbitrary<string>): string[] =>
    fc.sample(fc.string({ unit, maxLength: 20 }), { seed: 5, numRuns: 1_000 });
  expect(sampled(anyCharacter)).toEqual(sampled('binary'));
});

it.each(['\0', '\ud7ff', '\ue000', '\u{10ffff}'])('recognises %j, so that it can shrink it', (edge) => {
  expect(anyCharacter.canShrinkWithoutContext(edge)).toBe(true);
});

it.each(['', 'ab', '\ud800', 1])('does not recognise %j', (value) => {
  expect(anyCharacter.canShrinkWithoutContext(value)).toBe(false);
});
