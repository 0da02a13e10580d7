import { expect, it } from 'vitest';
import { TestClock } from '../clock.ts';
import type { FailureReason } from '../upstreams/outcome.ts';
import { AccountDoubt, type ProbeResult } from './account-doubt.ts';

/** A doubt whose probes answer on command. */
function newDoubt() {
  const clock = new TestClock();
  const probes: PromiseWithResolvers<ProbeResult | null>[] = [];
  const seen: string[] = [];
  const doubt = new AccountDoubt({
    clock,
    probe: () => {
      const probe = Promise.withResolvers<ProbeResult | null>();
      probes.push(probe);
      return probe.promise;
    },
    refused: () => seen.push('refused'),
    works: () => seen.push('works'),
  });
  const answer = async (result: ProbeResult | null): Promise<void> => {
    probes.at(-1)?.resolve(result);
    await Promise.resolve();
  };
  const confirms = (witness: string, reason: FailureReason = 'credentials') =>
    doubt.confirms(witness, reason);
  return { confirms, clock, probes, seen, answer };
}

it('is confirmed by no second account while our own request is on its way, nor soon after it was served', async () => {
  const { confirms, clock, probes, seen, answer } = newDoubt();
  expect([confirms('a'), confirms('b')]).toEqual([false, false]);
  await answer('works');
  expect([confirms('b'), confirms('a'), confirms('b')]).toEqual([false, false, false]);
  expect([probes.length, seen]).toEqual([1, ['works']]);
  await clock.advance(10_000);
  expect([confirms('b'), probes.length]).toEqual([false, 2]);
  await answer('refused');
  expect(seen).toEqual(['works', 'refused']);
});

it('is confirmed by no second account where our request shows that our key is good, which says nothing of the model', async () => {
  const { confirms, seen, answer } = newDoubt();
  expect(confirms('a')).toBe(false);
  await answer('known');
  expect([confirms('a'), confirms('b'), seen]).toEqual([false, false, []]);
});

it('is confirmed by a second account that nothing is left, which a good key does not contradict', async () => {
  const { confirms, answer } = newDoubt();
  expect(confirms('a', 'exhausted')).toBe(false);
  await answer('known');
  expect([confirms('a', 'exhausted'), confirms('b', 'exhausted')]).toEqual([false, true]);
});

it.each(['unclear', null] as const)(
  'is confirmed by a second account where our request shows %j',
  async (result) => {
    const { confirms, answer } = newDoubt();
    expect(confirms('a')).toBe(false);
    await answer(result);
    expect([confirms('a'), confirms('b')]).toEqual([false, true]);
  },
);

it('is confirmed by a second account where there are no probes', () => {
  const doubt = new AccountDoubt({ clock: new TestClock(), probe: null, refused: () => {}, works: () => {} });
  expect([doubt.confirms('a', 'credentials'), doubt.confirms('b', 'credentials')]).toEqual([false, true]);
});
