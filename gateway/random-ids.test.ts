import { expect, it } from 'vitest';
import { createRandomIds } from './random-ids.ts';

it('makes ids of 144 bits, none twice, over the ends of the pool', () => {
  const newId = createRandomIds();
  const ids = Array.from({ length: 2_000 }, newId);
  expect(new Set(ids).size).toBe(2_000);
  expect(ids.every((id) => /^[\w-]{24}$/.test(id))).toBe(true);
});
