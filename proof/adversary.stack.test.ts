import { expect, it } from 'vitest';
import { violationsIn } from './adversary/books.ts';
import { playAll } from './adversary/play-all.ts';
import { strategies } from './adversary/strategies.ts';

it('no strategy of a caller gets more than the declared bounds', async () => {
  // The crowd takes as long as answers are read on for; the command plays it.
  const quick = strategies.filter(({ name }) => !name.includes('crowd'));
  const books = await playAll(quick, 1, 0);
  expect(books.flatMap(violationsIn)).toEqual([]);
  // Each but the caller that leaves at once took something.
  const idle = books.filter(({ rounds }) => rounds.every(({ received }) => received === 0n));
  expect(idle.map(({ strategy }) => strategy).filter((name) => name !== 'leaves before the answer')).toEqual(
    [],
  );
});
