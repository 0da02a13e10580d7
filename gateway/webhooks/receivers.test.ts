import { describe, expect, it } from 'vitest';
import { TestClock } from '../clock.ts';
import { Receivers, receiverOf } from './receivers.ts';

const testLimits = { at_once: 100, at_once_each: 8 };
const make = (limits = testLimits): { clock: TestClock; receivers: Receivers } => {
  const clock = new TestClock();
  return { clock, receivers: new Receivers(limits, clock) };
};
const names = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}${n}`);
const roomOf = (receivers: Receivers, name: string): number => receivers.freeSlots([name]).get(name) ?? 0;
/** Starts as many attempts as there is capacity for; returns a function per attempt that ends it. */
const fill = (receivers: Receivers, wanted: readonly string[]): ((wasSlow: boolean | null) => void)[] =>
  [...receivers.freeSlots(wanted)].flatMap(([name, room]) =>
    Array.from({ length: room }, () => receivers.begin(name)),
  );
/** Makes a receiver known as good or slow. */
const teach = (receivers: Receivers, name: string, isSlow: boolean): void => receivers.begin(name)(isSlow);

it('distinguishes receivers by account and origin, not by path', () => {
  const one = receiverOf('acc', 'https://a.test/x?y');
  expect(receiverOf('acc', 'https://a.test:443/z')).toBe(one);
  for (const other of [receiverOf('acc', 'https://a.test:8443/x'), receiverOf('other', 'https://a.test/x')])
    expect(other).not.toBe(one);
});

describe('receivers', () => {
  it('get half the capacity of a good one until they answer in time', () => {
    const { receivers } = make();
    expect(roomOf(receivers, 'new')).toBe(4);
    teach(receivers, 'new', false);
    expect(roomOf(receivers, 'new')).toBe(8);
    teach(receivers, 'new', true);
    expect(roomOf(receivers, 'new')).toBe(4);
  });

  it('use only their free capacity, and get it back', () => {
    const { receivers } = make();
    const ends = fill(receivers, ['a']);
    expect(receivers.freeSlots(['a', 'b'])).toEqual(new Map([['b', 4]]));
    for (const end of ends) end(null);
    expect(roomOf(receivers, 'a')).toBe(4);
  });

  it('leave half of all capacity if slow, a quarter if unknown, and good ones take the rest', () => {
    const { receivers } = make();
    for (const name of names('slow', 50)) teach(receivers, name, true);
    for (const name of names('good', 50)) teach(receivers, name, false);
    expect(fill(receivers, names('slow', 50))).toHaveLength(50);
    expect(fill(receivers, names('new', 50))).toHaveLength(25);
    expect(fill(receivers, names('good', 50))).toHaveLength(25);
    expect(receivers.freeSlots(['another']).size).toBe(0);
  });

  it('of one account get at most half of all capacity while none is known to be good', () => {
    const { receivers } = make();
    expect(fill(receivers, names('one https://h', 50))).toHaveLength(50);
    expect(fill(receivers, names('two https://h', 50))).toHaveLength(25);
    for (const name of names('one https://good', 10)) teach(receivers, name, false);
    expect(fill(receivers, names('one https://good', 10))).toHaveLength(25);
  });

  it('that become slow during attempts take those attempts into the slow share', () => {
    const { receivers } = make();
    const ends = names('n', 18).flatMap((name) => fill(receivers, [name]));
    expect(ends).toHaveLength(72);
    for (const end of ends.filter((_, n) => n % 4 === 0)) end(true);
    // 54 are still in flight, all at slow receivers: more than the half for slow ones.
    expect(roomOf(receivers, 'n0')).toBe(0);
    expect(roomOf(receivers, 'other')).toBe(4);
    for (const end of ends.filter((_, n) => n % 4 !== 0)) end(null);
    expect(roomOf(receivers, 'n0')).toBe(4);
    expect(receivers.isSlow('n0')).toBe(true);
  });

  it('that were slow get another chance after a while', async () => {
    const { clock, receivers } = make();
    teach(receivers, 'slow', true);
    await clock.advance(10 * 60_000 - 1_000);
    expect(receivers.isSlow('slow')).toBe(true);
    await clock.advance(1_000);
    expect(receivers.isSlow('slow')).toBe(false);
  });

  it('get one attempt at a time with minimal capacity', () => {
    const { receivers } = make({ at_once: 1, at_once_each: 1 });
    const [end] = fill(receivers, ['a', 'b']);
    expect(receivers.freeSlots(['a', 'b']).size).toBe(0);
    end?.(true);
    expect(receivers.freeSlots(['b', 'a'])).toEqual(new Map([['b', 1]]));
  });

  it('are forgotten when there are too many, except with attempts in flight', () => {
    const { receivers } = make({ at_once: 1_000, at_once_each: 8 });
    teach(receivers, 'slow', true);
    const end = receivers.begin('busy');
    for (const name of names('n', 10_001)) teach(receivers, name, false);
    expect(receivers.isSlow('slow')).toBe(false);
    expect(roomOf(receivers, 'busy')).toBe(3);
    end(false);
    expect(roomOf(receivers, 'busy')).toBe(8);
  });
});
