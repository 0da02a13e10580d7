import { expect, it } from 'vitest';
import { type ProfileInput, profileSchema } from '../profile/profile.ts';
import { Untestable } from '../rules/violation.ts';
import type { WireClient } from '../wire/client.ts';
import type { StackClock } from './clock-control.ts';
import { missingFacts } from './facts.ts';
import { Kit } from './kit.ts';
import { Wear } from './wear.ts';

type Upstream = NonNullable<ProfileInput['upstream']>;

function kitWith(clock: StackClock | null, upstream: Partial<Upstream> = {}): Kit {
  const profile = profileSchema.parse({
    base_url: 'http://127.0.0.1:1',
    keys: { K1: 'sk-app-1' },
    upstream: { control: 'http://127.0.0.1:2', ...upstream },
  });
  const bare = { name: 'one', keys: profile.keys, channels: {}, upstream: null, webhookSecret: null };
  const lane = { ...bare, wear: new Wear(profile) };
  return new Kit({
    checkId: 'a.b.c',
    seed: 1,
    size: 'quick',
    path: null,
    profile,
    lanes: [lane, { ...lane, name: 'two' }],
    ownLane: true,
    models: ['alpha-5-2'],
    mediaModels: [],
    client: {} as WireClient,
    signal: new AbortController().signal,
    clock,
    receiver: null,
    spend: () => undefined,
  });
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

it('jumps where there is a clock to be moved', async () => {
  const jumps: number[] = [];
  const clock = { advance: async (ms: number) => jumps.push(ms), aheadMs: 0 } as unknown as StackClock;
  await kitWith(clock).elapse(30_000);
  expect(jumps).toEqual([30_000]);
});

it('waits where there is none and the declared times are short', async () => {
  const kit = kitWith(null, short);
  const began = performance.now();
  await kit.elapse(30);
  expect(performance.now() - began).toBeGreaterThanOrEqual(29);
  expect(missingFacts(['time'], kit.profile)).toEqual([]);
});

it('says what is missing where it could neither jump nor wait', async () => {
  const kit = kitWith(null, { ...short, first_byte_timeout_ms: 30_000 });
  await expect(kit.elapse(30)).rejects.toEqual(new Untestable('hooks.clock'));
  expect(missingFacts(['time'], kit.profile)).toEqual(['time']);
});

it('waits for no more than seconds, even where the declared times are short', async () => {
  const kit = kitWith(null, short);
  await expect(kit.elapse(10_001)).rejects.toEqual(new Untestable('hooks.clock'));
});

it('gives each lane of a check markers of its own, the first one those that a check with one lane has', () => {
  const kit = kitWith(null);
  const markers = kit.lanes.map((lane) => lane.scene().marker);
  expect(new Set(markers).size).toBe(2);
  expect(markers[0]).toBe(kitWith(null).scene().marker);
});
