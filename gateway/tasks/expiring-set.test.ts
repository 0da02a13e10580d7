import { expect, it } from 'vitest';
import { ExpiringSet } from './expiring-set.ts';

function at(max: number): { set: ExpiringSet; move: (ms: number) => void } {
  let nowMs = 0;
  const set = new ExpiringSet(max, 100, { monotonic: () => nowMs });
  return {
    set,
    move: (ms) => {
      nowMs += ms;
    },
  };
}

it('keeps each text until its expiry, counted from the first insertion', () => {
  const { set, move } = at(10);
  expect([set.add('a'), set.add('a')]).toEqual([true, false]);
  move(99);
  expect([set.add('a'), set.add('b'), set.all()]).toEqual([false, true, ['a', 'b']]);
  move(1);
  expect([set.all(), set.add('a')]).toEqual([['b'], true]);
});

it('forgets a removed text', () => {
  const { set } = at(10);
  set.add('a');
  expect([set.take('a'), set.take('a'), set.add('a')]).toEqual([true, false, true]);
});

it('forgets the oldest text when it is full', () => {
  const { set } = at(2);
  for (const text of ['a', 'b', 'c']) set.add(text);
  expect(set.all()).toEqual(['b', 'c']);
});
