import { expect, it } from 'vitest';
import { profileSchema } from '../profile/profile.ts';
import { TenantPool, tenantsFor } from './tenant-pool.ts';

const profileWith = (tenants: number): ReturnType<typeof profileSchema.parse> =>
  profileSchema.parse({
    base_url: 'http://127.0.0.1:1',
    keys: { K1: 'sk-app-main' },
    tenants: Array.from({ length: tenants }, (_, index) => ({
      name: `lane-${index}`,
      keys: { K1: `sk-app-${index}` },
    })),
  });

it('lends a tenant to one check at a time, and lends it again once it is back', async () => {
  const pool = new TenantPool(profileWith(2));
  const [a, b] = [await pool.lease(), await pool.lease()];
  expect(new Set([a.tenants[0].name, b.tenants[0].name]).size).toBe(2);
  let third: string | null = null;
  const waiting = pool.lease().then((lease) => {
    third = lease.tenants[0].name;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(third).toBeNull();
  a.release();
  a.release();
  await waiting;
  expect(third).toBe(a.tenants[0].name);
});

it('lends several tenants at once, in the order of requests, and never more than exist', async () => {
  const pool = new TenantPool(profileWith(3));
  const first = await pool.lease();
  const order: string[] = [];
  const many = pool.lease(9).then((lease) => {
    order.push(`many: ${lease.tenants.length}`);
    return lease;
  });
  const late = pool.lease().then(() => order.push('late'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(order).toEqual([]);
  first.release();
  (await many).release();
  await late;
  expect(order).toEqual(['many: 3', 'late']);
});

it('skips degraded tenants, and lets them recover only when there are no others', async () => {
  const pool = new TenantPool(profileWith(2));
  const ill = new Set(['lane-0']);
  let recoveries = 0;
  const health = {
    isHealthy: (tenant: string) => !ill.has(tenant),
    recover: async () => {
      recoveries += 1;
      ill.clear();
    },
  };
  expect((await pool.lease(1, health)).tenants[0].name).toBe('lane-1');
  expect(recoveries).toBe(0);
  expect((await pool.lease(1, health)).tenants[0].name).toBe('lane-0');
  expect(recoveries).toBe(1);
});

it('treats a deployment without tenants as one shared tenant', async () => {
  const pool = new TenantPool(profileWith(0));
  const lease = await pool.leaseSeat(false);
  expect(lease).toMatchObject({ own: false, tenants: [{ name: 'default', keys: { K1: 'sk-app-main' } }] });
});

it('gives checks that share the only account a seat each, and any other check all seats', async () => {
  const pool = new TenantPool(profileSchema.parse({ base_url: 'http://127.0.0.1:1', keys: { K1: 'k' } }));
  const [one, two] = [await pool.leaseSeat(true), await pool.leaseSeat(true)];
  const order: string[] = [];
  const alone = pool.leaseSeat(false).then((lease) => {
    order.push('alone');
    return lease;
  });
  const third = pool.leaseSeat(true).then(() => order.push('third'));
  one.release();
  await new Promise((resolve) => setImmediate(resolve));
  expect(order).toEqual([]);
  two.release();
  const lease = await alone;
  expect([lease.tenants.length, lease.own]).toEqual([1, false]);
  lease.release();
  await third;
  expect(order).toEqual(['alone', 'third']);
});

it.each([
  ['one that needs one', [{}], 'quick', 2],
  ['one that works in lockstep', [{ tenants: { quick: 5, full: 7 } }], 'quick', 10],
  ['a whole case of it', [{ tenants: { quick: 5, full: 7 } }, {}], 'full', 16],
  ['many', Array.from({ length: 200 }, () => ({})), 'smoke', 192],
] as const)('a stack for %s has tenants for all at once, and as many to spare', (_, checks, size, most) => {
  expect(tenantsFor(checks, size)).toBe(most);
});
