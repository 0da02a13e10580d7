import { expect, it } from 'vitest';
import { type Profile, profileSchema } from '../profile/profile.ts';
import { concurrencyOf, leastBusy, movingAtOnce, movingWhenCrowded } from './concurrency.ts';

function profileWith(count: number, more: object = {}): Profile {
  const tenants = Array.from({ length: count }, (_, place) => ({
    name: `l${place}`,
    keys: { K1: `k${place}` },
  }));
  return profileSchema.parse({ base_url: 'http://127.0.0.1:1', keys: { K1: 'k' }, tenants, ...more });
}

it('follows the latency as far as there are tenants', () => {
  expect([0, 50, 150, 10_000].map((ms) => concurrencyOf(profileWith(64), ms))).toEqual([8, 16, 32, 48]);
  expect([0, 150].map((ms) => concurrencyOf(profileWith(10), ms))).toEqual([8, 10]);
});

it('is with one account what its cap allows, and one where a check could see the others', () => {
  expect(concurrencyOf(profileWith(0), 150)).toBe(2);
  expect(concurrencyOf(profileWith(0, { cap: { value: 1 } }))).toBe(1);
  const balance = { url: 'http://127.0.0.1:1/balance', field: 'balance' };
  expect(concurrencyOf(profileWith(0, { hooks: { balance } }))).toBe(1);
});

it('lets more checks move a clock together where answers take time', () => {
  const movingAt = (ms: number): number => movingAtOnce(concurrencyOf(profileWith(64), ms));
  expect([0, 50, 150, 10_000].map(movingAt)).toEqual([2, 7, 17, 27]);
  expect([1, leastBusy].map(movingAtOnce)).toEqual([2, 2]);
  const crowdedAt = (ms: number): number => movingWhenCrowded(concurrencyOf(profileWith(64), ms));
  expect([0, 50, 150, 10_000].map(crowdedAt)).toEqual([2, 2, 6, 9]);
});
