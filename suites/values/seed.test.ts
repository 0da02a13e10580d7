import { describe, expect, it } from 'vitest';
import { createRng, deriveSeed } from './seed.ts';

const draws = (seed: number, purpose: string): number[] => {
  const rng = createRng(seed, purpose);
  return Array.from({ length: 20 }, () => rng.int(1_000_000));
};

describe('draws', () => {
  it('repeat for the same seed and purpose', () => {
    expect(draws(7, 'chat.a')).toEqual(draws(7, 'chat.a'));
  });

  it('differ for another seed, and for another purpose', () => {
    expect(draws(8, 'chat.a')).not.toEqual(draws(7, 'chat.a'));
    expect(draws(7, 'chat.b')).not.toEqual(draws(7, 'chat.a'));
    expect(deriveSeed(7, 'chat.b')).not.toBe(deriveSeed(7, 'chat.a'));
  });

  it('shuffle keeps every item exactly once', () => {
    const items = Array.from({ length: 50 }, (_, index) => index);
    const shuffled = createRng(1, 'shuffle').shuffle(items);
    expect([...shuffled].sort((a, b) => a - b)).toEqual(items);
    expect(shuffled).not.toEqual(items);
  });
});
