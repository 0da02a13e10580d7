import { expect, it } from 'vitest';
import { profileSchema } from '../targets/profile.ts';
import { LanePool } from './lane-pool.ts';

const profileWith = (lanes: number): ReturnType<typeof profileSchema.parse> =>
  profileSchema.parse({
    base_url: 'http://127.0.0.1:1',
    keys: { K1: 'sk-app-main' },
    lanes: Array.from({ length: lanes }, (_, index) => ({
      name: `lane-${index}`,
      keys: { K1: `sk-app-${index}` },
    })),
  });

it('never lends a lane twice, and lends it again once it is back', async () => {
  const pool = new LanePool(profileWith(2));
  const [a, b] = [await pool.lease(), await pool.lease()];
  expect(new Set([a.lane.name, b.lane.name]).size).toBe(2);
  let third: string | null = null;
  const waiting = pool.lease().then((lease) => {
    third = lease.lane.name;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(third).toBeNull();
  a.release();
  a.release();
  await waiting;
  expect(third).toBe(a.lane.name);
});

it('treats a deployment without lanes as one lane that is not its own', async () => {
  const pool = new LanePool(profileWith(0));
  const lease = await pool.lease();
  expect(pool.size).toBe(1);
  expect(lease).toMatchObject({ own: false, lane: { name: 'default', keys: { K1: 'sk-app-main' } } });
});
