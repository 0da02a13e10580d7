import { expect, it } from 'vitest';
import type { ProfileInput } from '../../profile/profile.ts';
import { Untestable } from '../../rules/violation.ts';
import { createTestParts } from '../../testing/create-test-parts.ts';
import type { StackClock } from '../clock-control.ts';
import { missingFacts } from '../has-fact.ts';
import type { CheckParts } from './check-parts.ts';

type Upstream = NonNullable<ProfileInput['upstream']>;

function partsWith(clock: StackClock | null, upstream: Partial<Upstream> = {}): CheckParts {
  return createTestParts({ upstream: { control: 'http://127.0.0.1:2', ...upstream } }, { clock });
}

const short: Partial<Upstream> = {
  first_byte_timeout_ms: 1_000,
  breaker: {
    consecutive_failures: 5,
    window_ms: 4_000,
    window_least: 10,
    window_failure_percent: 50,
    cool_down_ms: [2_000, 4_000],
  },
};

it('jumps when the deployment has a movable clock', async () => {
  const jumps: number[] = [];
  const clock = { advance: async (ms: number) => jumps.push(ms), aheadMs: 0 } as unknown as StackClock;
  const parts = partsWith(clock);
  await parts.clock.elapse(30_000);
  await parts.clock.jump(5);
  expect(jumps).toEqual([30_000, 5]);
});

it('waits for its turn when other checks move the same clock', async () => {
  const waits: number[] = [];
  const timeline = {
    now: () => 500,
    until: async (ms: number) => void waits.push(ms),
    waitedMs: 0,
    leave: () => undefined,
  };
  const clock = { advance: () => Promise.reject(new Error('is not its own')), aheadMs: 0 };
  const upstream = { control: 'http://127.0.0.1:2' };
  const parts = createTestParts({ upstream }, { clock: clock as unknown as StackClock, timeline });
  await parts.clock.elapse(30_000);
  await parts.clock.jump(5);
  expect(waits).toEqual([30_500, 505]);
});

it('waits in real time when there is no clock and the declared times are short', async () => {
  const { clock, target } = partsWith(null, short);
  const began = performance.now();
  await clock.elapse(30);
  expect(performance.now() - began).toBeGreaterThanOrEqual(29);
  expect(missingFacts(['time'], target.profile)).toEqual([]);
});

it('reports the missing fact when it can neither jump nor wait', async () => {
  const { clock, target } = partsWith(null, { ...short, first_byte_timeout_ms: 30_000 });
  await expect(clock.elapse(30)).rejects.toEqual(new Untestable('hooks.clock'));
  await expect(clock.jump(30)).rejects.toEqual(new Untestable('hooks.clock'));
  expect(missingFacts(['time'], target.profile)).toEqual(['time']);
});

it('refuses to wait more than 10 s, even when the declared times are short', async () => {
  const { clock } = partsWith(null, short);
  await expect(clock.elapse(10_001)).rejects.toEqual(new Untestable('hooks.clock'));
});

it('gives each tenant its own markers; those of the first do not depend on the number of tenants', () => {
  const { tenants } = partsWith(null);
  const markers = tenants.map((tenant) => tenant.newScene().marker);
  expect(new Set(markers).size).toBe(2);
  expect(markers[0]).toBe(partsWith(null).newScene().marker);
});
