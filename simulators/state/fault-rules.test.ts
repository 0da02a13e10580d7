import { describe, expect, it } from 'vitest';
import { ControlError, type TenantControl } from '../control/client.ts';
import { postChat } from '../testing/post-chat.ts';
import { postGenerate } from '../testing/post-generate.ts';
import { postCount } from '../testing/post-messages.ts';
import { useSimulators } from '../testing/simulators.ts';

const simulators = useSimulators({ testClock: true });

/** The statuses of the given number of calls, made one after the other. */
async function statuses(tenant: TenantControl, count: number, channel?: string): Promise<number[]> {
  const given: number[] = [];
  for (let at = 0; at < count; at += 1) {
    given.push((await postChat(simulators.base(tenant.name, channel), {})).status);
  }
  return given;
}

async function refusalOf(call: Promise<unknown>): Promise<ControlError> {
  const error: unknown = await call.catch((reason: unknown) => reason);
  if (error instanceof ControlError) return error;
  throw new Error('expected a refusal');
}

describe('a fault rule', () => {
  it('fires the given number of times, then disappears', async () => {
    const tenant = simulators.tenant();
    await tenant.addFault({ reply: { status: 503 }, times: 2 });
    expect(await statuses(tenant, 3)).toEqual([503, 503, 200]);
    expect(await tenant.faults()).toEqual([]);
  });

  it('for a list or a count of tokens is reported by them, since it changes nothing there', async () => {
    const tenant = simulators.tenant();
    await tenant.addFault({ reply: { status: 503 }, when: { path: '/v1/models' } });
    await tenant.addFault({ fault: { id: 'H12' }, when: { path: '/v1/messages' } });
    const base = simulators.base(tenant.name);
    const listed = await fetch(`${base}/models`, { headers: { authorization: 'Bearer sk-upstream' } });
    expect([listed.status, await listed.text()]).toEqual([501, expect.stringContaining('calls of models')]);
    // The rule is for another path, of which this one is a continuation.
    expect((await postCount(base, {})).status).toBe(200);
    expect(await tenant.faults()).toHaveLength(2);
  });

  it("expires on the simulators' clock", async () => {
    const tenant = simulators.tenant();
    await tenant.addFault({ reply: { status: 503 }, ttl_ms: 60_000 });
    await simulators.control.advance(59_000);
    expect(await statuses(tenant, 1)).toEqual([503]);
    await simulators.control.advance(1_000);
    expect(await statuses(tenant, 1)).toEqual([200]);
  });

  it('can be removed, alone or with all others; the newest one applies first', async () => {
    const tenant = simulators.tenant();
    await tenant.addFault({ reply: { status: 500 } });
    const newer = await tenant.addFault({ reply: { status: 502 } });
    expect(await statuses(tenant, 1)).toEqual([502]);
    await tenant.removeFault(newer);
    expect(await statuses(tenant, 1)).toEqual([500]);
    await tenant.removeFault();
    expect(await statuses(tenant, 1)).toEqual([200]);
    expect(await refusalOf(tenant.removeFault(newer))).toMatchObject({ status: 404 });
  });

  it('draws the same after later rules and after a reset', async () => {
    const drawn = async (later: boolean): Promise<unknown[]> => {
      const tenant = simulators.control.tenant('draws-of-rules');
      await tenant.reset();
      await tenant.addFault({ reply: { status: 503 }, rate: 0.5 });
      if (later) await tenant.addFault({ reply: { status: 502 }, times: 1 });
      if (later) await tenant.addFault({ reply: { status: 502 }, rate: 0.3 });
      await statuses(tenant, 3);
      const { entries } = await tenant.journal();
      await tenant.reset();
      return entries.slice(-2).map(({ reply }) => reply.draws?.drawn['rate-0']);
    };
    const alone = await drawn(false);
    expect(alone).toEqual([expect.any(Number), expect.any(Number)]);
    expect((await drawn(true)).every((draw, at) => draw === undefined || draw === alone[at])).toBe(true);
    expect(await drawn(false)).toEqual(alone);
  });

  it('affects only the selected requests', async () => {
    const tenant = simulators.tenant();
    const base = simulators.base(tenant.name);
    const whens = [
      { channel: 'other' },
      { model: 'g3f-2026-09' },
      { marker: 'mark-1' },
      { header: { name: 'X-Team', value: 'a' } },
      { path: '/v1/messages' },
      { key: 'sk-somebody-else' },
    ];
    for (const [at, when] of whens.entries()) await tenant.addFault({ reply: { status: 510 + at }, when });
    expect((await postChat(base, {})).status).toBe(200);
    expect(await statuses(tenant, 1, 'other')).toEqual([510]);
    expect((await postGenerate(base, {})).status).toBe(511);
    expect((await postChat(base, { messages: [{ role: 'user', content: 'a mark-1' }] })).status).toBe(512);
    expect((await postChat(base, {}, 'sk-somebody-else')).status).toBe(515);
  });

  it('changes a scripted reply, and the journal shows both', async () => {
    const tenant = simulators.tenant();
    const script = await tenant.script({ replies: [{ text: 'as scripted' }] });
    const arm = await tenant.addFault({ reply: { headers: { 'x-late': 'yes' } }, times: 1 });
    const answer = await postChat(simulators.base(tenant.name), {});
    expect(answer.headers['x-late']).toBe('yes');
    expect(answer.text).toContain('as scripted');
    const [entry] = (await tenant.journal({ ended: 1 })).entries;
    expect(entry?.reply).toMatchObject({
      script,
      draws: { seed: 1, scenario: null, tenant: tenant.name, nth: 1, disturbed_by: arm, drawn: {} },
    });
  });

  it('is listed with its state', async () => {
    const tenant = simulators.tenant();
    const id = await tenant.addFault({
      reply: { status: 503 },
      times: 3,
      rate: 1,
      when: { channel: 'alpha' },
    });
    await statuses(tenant, 1);
    const state = {
      id,
      when: { channel: 'alpha' },
      reply: { status: 503 },
      rate: 1,
      fired: 1,
      times_left: 2,
    };
    expect(await tenant.faults()).toEqual([{ ...state, expires_at_ms: null }]);
  });

  it.each([
    [{}, ''],
    [{ reply: {}, rate: 0 }, 'rate'],
    [{ reply: {}, times: 0 }, 'times'],
    [{ reply: { txt: 'a' } }, 'reply.txt'],
    [{ fault: { id: 'Z9' } }, 'fault.id'],
    [{ reply: {}, when: { team: 'a' } }, 'when.team'],
    [
      { reply: { pacing: { first_ms: { log_normal: { median: 1, sigma: 1 } } } } },
      'reply.pacing.first_ms.log_normal.cap',
    ],
  ])('is rejected as %j, with the path of the invalid member', async (arm, path) => {
    // @ts-expect-error wrong on purpose
    const { status, path: named } = await refusalOf(simulators.tenant().addFault(arm));
    expect([status, named ?? '']).toEqual([400, path]);
  });

  it('is rejected if the tenant has a thousand rules', async () => {
    const tenant = simulators.tenant();
    await Promise.all(Array.from({ length: 1000 }, () => tenant.addFault({ reply: {} })));
    expect(await refusalOf(tenant.addFault({ reply: {} }))).toMatchObject({ status: 409 });
  });
});
