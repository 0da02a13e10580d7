import fc from 'fast-check';
import { expect, it } from 'vitest';
import { spoil, wrongKeyExamples, wrongKeyKinds, wrongKeys } from './wrong-key.ts';

const good = 'sk-app-QbcdefGHIJ0123456789';

it('never results in the valid key', () => {
  fc.assert(
    fc.property(wrongKeys, (recipe) => {
      expect(spoil(good, recipe)).not.toBe(good);
    }),
    { numRuns: 2_000, seed: 1 },
  );
});

it('changes exactly one character at any position', () => {
  for (let place = 0; place < 1; place += 0.01) {
    const spoilt = spoil(good, { kind: 'one-character', place, letters: '' });
    const changed = [...spoilt].filter((character, index) => character !== good[index]);
    expect([spoilt.length, changed.length]).toEqual([good.length, 1]);
  }
});

it('has examples of every kind', () => {
  expect(new Set(wrongKeyExamples.map(({ kind }) => kind))).toEqual(new Set(wrongKeyKinds));
});

it.each(['swift-key-1', 'sk-1', 'pk-app-x', 'sk-proj-abcdefgh', 'AIzaSyA1', 'SECRET', 'ab', '12345678'])(
  'a key of another form, %s, is altered too, and near to it',
  (good) => {
    for (const recipe of wrongKeyExamples) expect(spoil(good, recipe)).not.toBe(good);
    const near = wrongKeyExamples.find(({ kind }) => kind === 'one-character');
    expect(near && spoil(good, near)).toHaveLength(good.length);
  },
);
