import { expect, it } from 'vitest';
import { Semaphore } from './semaphore.ts';

it('lets no more than its width through at once, and everyone in the end', async () => {
  const semaphore = new Semaphore(2);
  let inside = 0;
  let max = 0;
  const pass = (fails: boolean): Promise<void> =>
    semaphore.pass(async () => {
      inside += 1;
      max = Math.max(max, inside);
      await new Promise((resolve) => setImmediate(resolve));
      inside -= 1;
      if (fails) throw new Error('one of them fails');
    });
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => pass(index % 3 === 0)));
  expect(max).toBe(2);
  expect(inside).toBe(0);
  expect(outcomes.filter((outcome) => outcome.status === 'rejected')).toHaveLength(7);
});
