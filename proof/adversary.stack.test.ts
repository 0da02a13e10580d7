import { expect, it } from 'vitest';
import { violationsIn } from './adversary/books.ts';
import { playAll } from './adversary/play-all.ts';
import { strategies } from './adversary/strategies.ts';

it('no caller strategy gets more than the declared bounds', async () => {
  // The crowd strategy takes as long as the gateway reads abandoned answers; only the command plays it.
  const quick = strategies.filter(({ name }) => !name.includes('crowd'));
  const books = await playAll(quick, 1, 0);
  expect(books.flatMap(violationsIn)).toEqual([]);
  // Every strategy received something, except the caller that leaves before the answer.
  const idle = books.filter(({ rounds }) => rounds.every(({ received }) => received === 0n));
  expect(idle.map(({ strategy }) => strategy).filter((name) => name !== 'leaves before the answer')).toEqual(
    [],
  );
});
