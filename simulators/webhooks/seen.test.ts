import { expect, it } from 'vitest';
import { SeenIds } from './seen.ts';

const limits = { maxIds: 3, keepMs: 1_000 };

/** A memory with a clock that the test moves, and the list of processed ids. */
function bench(): {
  seen: SeenIds;
  done: string[];
  clock: { nowMs: number };
  deliver(id: string): Promise<string>;
} {
  const clock = { nowMs: 0 };
  const seen = new SeenIds(() => clock.nowMs, limits);
  const done: string[] = [];
  const deliver = (id: string): Promise<string> => seen.once(id, async () => void done.push(id));
  return { seen, done, clock, deliver };
}

it('lets concurrent deliveries wait for the one that is being processed', async () => {
  const { seen } = bench();
  const work = Promise.withResolvers<void>();
  let times = 0;
  const deliveries = Array.from({ length: 5 }, () =>
    seen.once('a', () => {
      times += 1;
      return work.promise;
    }),
  );
  work.resolve();
  expect(await Promise.all(deliveries)).toEqual(['processed', ...Array(4).fill('duplicate')]);
  expect(times).toBe(1);
});

it('rejects all waiting deliveries if processing fails, and repeats it at the next delivery', async () => {
  const { seen, deliver } = bench();
  const fails = (): Promise<void> => Promise.reject(new Error('no database'));
  const deliveries = [seen.once('a', fails), seen.once('a', fails)];
  const outcomes = await Promise.allSettled(deliveries);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await deliver('a')).toBe('processed');
});

it('remembers an id for the configured time after its last delivery', async () => {
  const { clock, deliver } = bench();
  await deliver('a');
  clock.nowMs = 1_000;
  expect(await deliver('a')).toBe('duplicate');
  clock.nowMs = 2_001;
  expect(await deliver('a')).toBe('processed');
});

it('forgets the ids with the oldest last delivery first', async () => {
  const { seen, deliver } = bench();
  for (const id of ['a', 'b', 'c', 'a', 'd']) await deliver(id);
  expect(seen.size).toBe(3);
  expect(await deliver('a')).toBe('duplicate');
  expect(await deliver('b')).toBe('processed');
});
