import { expect, it } from 'vitest';
import { type Profile, profileSchema } from '../profile/profile.ts';
import { concurrencyOf } from './concurrency.ts';

function profileWith(count: number, more: object = {}): Profile {
  const tenants = Array.from({ length: count }, (_, place) => ({
    name: `l${place}`,
    keys: { K1: `k${place}` },
  }));
  return profileSchema.parse({ base_url: 'http://127.0.0.1:1', keys: { K1: 'k' }, tenants, ...more });
}

it('is limited by the cap with one account, and is 1 where a check could see other checks', () => {
  expect(concurrencyOf(profileWith(0), 150)).toBe(2);
  expect(concurrencyOf(profileWith(0, { cap: { value: 1 } }))).toBe(1);
  const balance = { url: 'http://127.0.0.1:1/balance', field: 'balance' };
  expect(concurrencyOf(profileWith(0, { hooks: { balance } }))).toBe(1);
});
