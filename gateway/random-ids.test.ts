import { expect, it } from 'vitest';
import { createRandomIds } from './random-ids.ts';

it('makes unique ids of 144 bits, also across refills of the pool', () => {
  const newId = createRandomIds();
  const ids = Array.from({ length: 2_000 }, newId);
  expect(new Set(ids).size).toBe(2_000);
  expect(ids.every((id) => /^[\w-]{24}$/.test(id))).toBe(true);
});
