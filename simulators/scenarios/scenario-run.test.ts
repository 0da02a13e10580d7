import { describe, expect, it } from 'vitest';
import { ControlError, type Scenario, type ScenarioChoice, type TenantControl } from '../control/client.ts';
import { postChat } from '../testing/post-chat.ts';
import { postMessages } from '../testing/post-messages.ts';
import { useSimulators } from '../testing/simulators.ts';

const simulators = useSimulators({ testClock: true });

async function play(channels: Scenario['channels'], more: Partial<Scenario> = {}): Promise<TenantControl> {
  const tenant = simulators.tenant();
  await tenant.play({ scenario: { name: 'test', ...more, channels } });
  return tenant;
}

/** The statuses of the given number of calls, made one after the other. */
async function statuses(tenant: TenantControl, count: number, channel = 'alpha'): Promise<number[]> {
  const given: number[] = [];
  for (let at = 0; at < count; at += 1) {
    given.push((await postChat(simulators.base(tenant.name, channel), {})).status);
  }
  return given;
}

const failing = { reply: { status: 500 } };
const failures = async (tenant: TenantControl, count: number): Promise<number> =>
  (await statuses(tenant, count)).filter((status) => status === 500).length;

describe('a scenario', () => {
  it('alternates good and failing requests, separately for each channel', async () => {
    const tenant = await play({ '*': { flapping: { ok: 2, failing: 1, ...failing } } });
    expect(await statuses(tenant, 4)).toEqual([200, 200, 500, 200]);
    expect(await statuses(tenant, 3, 'beta')).toEqual([200, 200, 500]);
    expect(await statuses(tenant, 2)).toEqual([200, 500]);
  });

  it.each([
    ['open*', 'open-1', true],
    ['open*', 'reopen', false],
    ['*-eu', 'a-eu', true],
    ['a*b*c', 'abcbc', true],
    ['a*b*c', 'acb', false],
    ['ab*ba', 'aba', false],
    ['a.c', 'abc', false],
    [`${'*a'.repeat(30)}*b`, 'a'.repeat(2000), false],
  ])('says of the pattern %s whether it fits %s', async (pattern, channel, fits) => {
    const tenant = await play({ [pattern]: { faults: [failing] } });
    expect(await statuses(tenant, 1, channel)).toEqual([fits ? 500 : 200]);
  });

  it('has outages between two times', async () => {
    const outages = [{ from_ms: 60_000, until_ms: 120_000, ...failing }];
    const tenant = await play({ alpha: { outages } });
    expect(await statuses(tenant, 1)).toEqual([200]);
    await simulators.control.advance(60_000);
    expect(await statuses(tenant, 1)).toEqual([500]);
    expect(await statuses(tenant, 1, 'beta')).toEqual([200]);
    await simulators.control.advance(60_000);
    expect(await statuses(tenant, 1)).toEqual([200]);
  });

  it('admits only its capacity per second', async () => {
    const tenant = await play({ '*': { capacity: { per_second: 0.1, ...failing } } });
    expect(await statuses(tenant, 3)).toEqual([200, 500, 500]);
    await simulators.control.advance(10_000);
    expect(await statuses(tenant, 2)).toEqual([200, 500]);
  });

  it('raises a share over the time of a phase, and ends with it', async () => {
    const faults = [{ ...failing, rate: { from: 0, to: 1 } }];
    const tenant = await play({ '*': { phases: [{ for_ms: 1_000_000, faults }] } });
    expect(await failures(tenant, 40)).toBe(0);
    await simulators.control.advance(500_000);
    const half = await failures(tenant, 40);
    expect(half).toBeGreaterThan(8);
    expect(half).toBeLessThan(32);
    await simulators.control.advance(498_000);
    expect(await failures(tenant, 20)).toBeGreaterThan(17);
    await simulators.control.advance(2_000);
    expect(await failures(tenant, 20)).toBe(0);
  });

  it('decides among its faults by one draw, so that each gets its share', async () => {
    const faults = [
      { reply: { status: 500 }, rate: 0.5 },
      { reply: { status: 502 }, rate: 0.5 },
    ];
    const tenant = await play({ '*': { faults } });
    const given = await statuses(tenant, 60);
    expect(new Set(given)).toEqual(new Set([500, 502]));
    const { entries } = await tenant.journal({ ended: 60 });
    for (const [at, { reply }] of entries.entries()) {
      const drawn = reply.draws?.drawn.share ?? 1;
      expect(reply.draws?.disturbed_by).toBe(drawn < 0.5 ? 'faults[0]' : 'faults[1]');
      expect(reply.status).toBe(given[at]);
    }
  });

  it('disturbs only the requests that a fault selects', async () => {
    const tenant = await play({ '*': { faults: [{ ...failing, when: { header: { name: 'x-no' } } }] } });
    expect(await statuses(tenant, 1)).toEqual([200]);
  });

  it('skips calls in dialects without the fault', async () => {
    const tenant = await play({ '*': { faults: [{ fault: { id: 'H8' } }] } });
    const base = simulators.base(tenant.name);
    expect((await postChat(base, {})).status).toBe(200);
    expect((await postMessages(base, {})).status).toBe(529);
  });

  it('moves to the next phase on a step, even on channels without requests', async () => {
    const phases = [{ name: 'down', faults: [failing] }, { name: 'up' }];
    const tenant = await play({ '*': { phases } });
    expect(await statuses(tenant, 1)).toEqual([500]);
    const { channels } = await tenant.step();
    expect(channels.alpha?.phase).toMatchObject({ index: 1, name: 'up' });
    expect(await statuses(tenant, 1)).toEqual([200]);
    expect(await statuses(tenant, 1, 'beta')).toEqual([200]);
    expect((await tenant.step('beta')).channels).toMatchObject({
      alpha: { phase: { index: 1 } },
      beta: { phase: null },
    });
  });

  it('uses the first matching channel, by name or pattern, and leaves others alone', async () => {
    const status = (code: number) => ({ faults: [{ reply: { status: code } }] });
    const tenant = await play({ 'a.1': status(501), 'a*1': status(502), '*-b': status(503) });
    for (const [channel, code] of [
      ['a.1', 501],
      ['a-1', 502],
      ['ax1', 502],
      ['x-b', 503],
      ['x-b2', 200],
    ] as const) {
      expect(await statuses(tenant, 1, channel), channel).toEqual([code]);
    }
  });

  it('delays undisturbed requests, by its own latency or that of the phase', async () => {
    const phases = [{ latency: { first_ms: 5_000 } }];
    const tenant = await play({ '*': { latency: { first_ms: 1_000 }, phases } });
    const delayOf = async (n: number): Promise<number> => {
      const answer = postChat(simulators.base(tenant.name), {});
      await tenant.journal({ requests: n });
      await simulators.control.advance(10_000);
      await answer;
      const entry = (await tenant.journal({ ended: n })).entries.at(-1);
      return (entry?.reply.sends[0]?.intended_ms ?? 0) - (entry?.received_at_ms ?? 0);
    };
    expect(Math.abs((await delayOf(1)) - 5_000)).toBeLessThan(500);
    await tenant.step();
    expect(Math.abs((await delayOf(2)) - 1_000)).toBeLessThan(500);
  });

  it('can override the seed of the process', async () => {
    const channels = { '*': { faults: [{ ...failing, rate: 0.5 }] } };
    const tenant = simulators.tenant();
    const run = async (seed: number): Promise<number[]> => {
      await tenant.reset();
      await tenant.play({ scenario: { name: 'test', seed, channels } });
      return statuses(tenant, 30);
    };
    const first = await run(7);
    expect(await run(8)).not.toEqual(first);
    expect(await run(7)).toEqual(first);
  });

  it('starts from a file by name, reports its state, and ends', async () => {
    const tenant = simulators.tenant();
    expect(await tenant.play({ file: 'b5-all-down' })).toMatchObject({
      name: 'b5-all-down',
      seed: 1,
      channels: {},
    });
    expect(await statuses(tenant, 1)).toEqual([503]);
    expect((await tenant.scenario()).channels.alpha?.phase).toMatchObject({ index: 0, name: 'down' });
    await tenant.stop();
    expect(await statuses(tenant, 1)).toEqual([200]);
    const error: unknown = await tenant.scenario().catch((reason: unknown) => reason);
    expect(error instanceof ControlError && error.status).toBe(404);
  });

  it.each([
    [{ file: 'nowhere' }, 'file'],
    [{}, ''],
    [{ scenario: { name: 'a', channels: {} } }, 'scenario.channels'],
    [
      { scenario: { name: 'a', channels: { a: { phases: [{ for: 1 }] } } } },
      'scenario.channels.a.phases[0].for',
    ],
    [{ scenario: { name: 'a', rules: [], channels: { a: {} } } }, 'scenario.rules'],
    [
      { scenario: { name: 'a', channels: { a: { faults: [{ capture: { file: '/etc/passwd' } }] } } } },
      'scenario.channels.a.faults[0].capture',
    ],
  ])('is rejected as %j, with the path of the invalid member', async (choice, path) => {
    const error: unknown = await simulators
      .tenant()
      .play(choice as ScenarioChoice)
      .catch((reason: unknown) => reason);
    if (!(error instanceof ControlError)) throw new Error('expected a refusal');
    expect([error.status, error.path ?? '']).toEqual([400, path]);
  });
});
