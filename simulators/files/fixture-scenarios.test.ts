import { describe, expect, it } from 'vitest';
import type { TenantControl } from '../control/client.ts';
import type { Answer } from '../testing/post.ts';
import { postChat } from '../testing/post-chat.ts';
import { postGenerate } from '../testing/post-generate.ts';
import { postMessages } from '../testing/post-messages.ts';
import { useSimulators } from '../testing/simulators.ts';

const simulators = useSimulators({ testClock: true });

/** A tenant that goes through a file of the shelf. */
async function play(file: string): Promise<TenantControl> {
  const tenant = simulators.tenant();
  await tenant.play({ file });
  return tenant;
}

/** One call in each dialect. */
const inEach = (tenant: TenantControl, channel: string): Promise<Answer[]> => {
  const base = simulators.base(tenant.name, channel);
  return Promise.all([postChat(base, {}), postMessages(base, {}), postGenerate(base, {})]);
};

const statusOf = async (tenant: TenantControl, channel = 'alpha'): Promise<number> =>
  (await postChat(simulators.base(tenant.name, channel), {})).status;

async function statuses(tenant: TenantControl, count: number): Promise<number[]> {
  const given: number[] = [];
  while (given.length < count) given.push(await statusOf(tenant));
  return given;
}

describe('the outages of the catalogue', () => {
  it('B1 fails nobody at first, most after a minute, and nobody after a minute and a half', async () => {
    const tenant = await play('b1-brownout');
    // Far below the least draw that a handful of calls could have in the first moments.
    expect(await statuses(tenant, 3)).toEqual([200, 200, 200]);
    await simulators.control.advance(60_000);
    const failed = (await statuses(tenant, 30)).filter((status) => status === 500).length;
    expect(failed).toBeGreaterThan(15);
    await simulators.control.advance(30_000);
    expect(await statuses(tenant, 10)).toEqual(Array(10).fill(200));
  });

  it('B2 takes three and refuses three', async () => {
    const tenant = await play('b2-flapping');
    expect(await statuses(tenant, 7)).toEqual([200, 200, 200, 500, 500, 500, 200]);
  });

  it('B3 answers everything, and thirty times later on the channels that end in -1', async () => {
    const tenant = await play('b3-slow-poison');
    const due = async (channel: string): Promise<number> => {
      const after = (await tenant.journal({})).entries.at(-1)?.n ?? 0;
      const answers = Array.from({ length: 21 }, () => statusOf(tenant, channel));
      await tenant.journal({ after, requests: 21 });
      await simulators.control.advance(10_000);
      expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
      const { entries } = await tenant.journal({ ended: 1 });
      const waits = entries
        .filter((entry) => entry.channel === channel)
        .map(({ reply }) => reply.draws?.drawn.first_ms ?? 0);
      return waits.toSorted((one, other) => one - other)[10] ?? 0;
    };
    const [slow, quick] = [await due('duo-alpha-1'), await due('duo-alpha-2')];
    expect(slow / quick).toBeGreaterThan(20);
    expect(slow / quick).toBeLessThan(45);
  });

  it('B4 resets what comes to the channel that ends in -beta, and answers elsewhere', async () => {
    const tenant = await play('b4-one-region-down');
    for (const channel of ['trio-alpha', 'trio-gamma']) expect(await statusOf(tenant, channel)).toBe(200);
    await expect(statusOf(tenant, 'trio-beta')).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('B5 is down in every dialect until the step', async () => {
    const tenant = await play('b5-all-down');
    expect((await inEach(tenant, 'alpha')).map(({ status }) => status)).toEqual([503, 503, 503]);
    await tenant.step();
    expect((await inEach(tenant, 'alpha')).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('B6 is down, then takes one call a second, then all of them', async () => {
    const tenant = await play('b6-recovery-stampede');
    expect(await statuses(tenant, 1)).toEqual([503]);
    await tenant.step();
    expect((await Promise.all([1, 2, 3].map(() => statusOf(tenant)))).toSorted()).toEqual([200, 503, 503]);
    await simulators.control.advance(1_000);
    expect(await statuses(tenant, 1)).toEqual([200]);
    await tenant.step();
    expect(await statuses(tenant, 3)).toEqual([200, 200, 200]);
  });

  it('B7 limits every dialect for twenty seconds and says so', async () => {
    const tenant = await play('b7-correlated-429');
    for (const { status, headers } of await inEach(tenant, 'alpha')) {
      expect([status, headers['retry-after']]).toEqual([429, '20']);
    }
    await simulators.control.advance(20_000);
    expect((await inEach(tenant, 'alpha')).map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});
