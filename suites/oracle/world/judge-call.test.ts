import { describe, expect, it } from 'vitest';
import { allowedOf, brokenBy, type WorldCall } from './judge-call.ts';
import { World } from './world.ts';

const rules = {
  consecutiveFailures: 2,
  windowMs: 30_000,
  windowLeast: 10,
  windowFailurePercent: 50,
  coolDownMs: [30_000] as const,
};
const now = { from: 0, to: 10 };
const good: WorldCall = {
  ...{ key: 'k', model: 'm', fault: 'none', behaviour: 'good', isRead: false, isLater: false },
};

function worldOf(): World {
  const world = new World(rules, 500);
  world.setKey('k', { account: 'a', user: 'u', state: 'live' });
  world.setCap('u', 2);
  return world;
}

describe('a call in the world model', () => {
  it('is served when nothing forbids it, and a refusal violates the rule of its code', () => {
    const allowed = allowedOf(worldOf(), good, now);
    expect(brokenBy(allowed, { code: null, attempts: 1 })).toBeNull();
    const refused = brokenBy(allowed, { code: 'quota_exceeded', attempts: 0 });
    expect(refused).toMatchObject({ requirement: 'ERR-021', aspect: 'no-ground-left' });
  });

  it('is refused only for its key, even if there are other reasons', () => {
    const world = worldOf();
    world.setKey('k', { account: 'a', user: 'u', state: 'disabled' });
    world.setSpent('a', true);
    const allowed = allowedOf(world, good, now);
    expect(brokenBy(allowed, { code: 'sk_disabled', attempts: 0 })).toBeNull();
    expect(brokenBy(allowed, { code: 'quota_exceeded', attempts: 0 })).toMatchObject({
      requirement: 'AUTH-008',
    });
    expect(brokenBy(allowed, { code: 'sk_disabled', attempts: 1 })).toMatchObject({
      aspect: 'refused-in-time',
    });
  });

  it('may be refused by the cap only while enough other calls run', () => {
    const got = { code: 'concurrency_exceeded', attempts: 0 };
    expect(brokenBy(allowedOf(worldOf(), good, now, 1), got)).toMatchObject({ requirement: 'LIM-004' });
    expect(brokenBy(allowedOf(worldOf(), good, now, 2), got)).toBeNull();
  });

  it('is refused while its breaker is open, and no longer than allowed', () => {
    const world = worldOf();
    for (const again of [false, true])
      world.breaker('m').attempted({ began: now, outcome: 'failure', again });
    const outage = { code: 'channel_outage', attempts: 0 };
    expect(brokenBy(allowedOf(world, good, { from: 9_000, to: 9_010 }), outage)).toBeNull();
    const later = allowedOf(world, good, { from: 40_000, to: 40_010 });
    expect(brokenBy(later, outage)).toMatchObject({ requirement: 'ROUTE-011' });
  });
});
