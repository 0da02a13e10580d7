import { expect, it } from 'vitest';
import type { Reply, TenantControl } from '../control/client.ts';
import { postChat } from '../testing/post-chat.ts';
import { rawCall } from '../testing/raw-call.ts';
import { useSimulators } from '../testing/simulators.ts';

const simulators = useSimulators();

const tenants = 64;
const callsOfEach = 5;

/** The behaviour of a tenant's upstream, and the outcome for its caller. */
interface Plan {
  readonly reply: Reply;
  readonly seen: RegExp;
  readonly how: string;
}

function planOf(at: number): Plan {
  const text = `I am ${at}.`;
  const own = new RegExp(`I am ${at}\\.`);
  const plans: Plan[] = [
    { reply: { text, fault: { id: 'T7' } }, seen: /^$/, how: 'ECONNRESET' },
    { reply: { text, fault: { id: 'T10' } }, seen: own, how: 'fin' },
    { reply: { text, fault: { id: 'T17', form: 'banner' } }, seen: /^SSH-/, how: 'fin' },
    { reply: { text, status: 400 + at, headers: { 'x-at': text } }, seen: own, how: 'fin' },
    { reply: { text, fault: { id: 'T19' } }, seen: /^HTTP\/1\.1 307 /, how: 'fin' },
    { reply: { text }, seen: own, how: 'fin' },
    { reply: { text, cut: { after: 1, by: 'rst' } }, seen: /HTTP\/1\.1 200/, how: 'ECONNRESET' },
    { reply: { text, fault: { id: 'T15', form: 'extra-bytes' } }, seen: own, how: 'fin' },
  ];
  const plan = plans[at % plans.length];
  if (plan === undefined) throw new RangeError('there are plans');
  if (plan.reply.status === undefined) return plan;
  const { text: _text, ...raw } = plan.reply;
  return { ...plan, reply: raw };
}

async function meet(tenant: TenantControl, { seen, how }: Plan): Promise<void> {
  await Promise.all(
    Array.from({ length: callsOfEach }, async () => {
      const raw = rawCall(simulators.base(tenant.name));
      expect(await raw.over).toBe(how);
      expect(raw.text()).toMatch(seen);
    }),
  );
}

it('gives each of 64 concurrent tenants its own fault', async () => {
  const all = Array.from({ length: tenants }, (_, at) => ({ tenant: simulators.tenant(), plan: planOf(at) }));
  await Promise.all(all.map(({ tenant, plan }) => tenant.script({ replies: [plan.reply] })));
  await Promise.all(all.map(({ tenant, plan }) => meet(tenant, plan)));
  for (const { tenant, plan } of all) {
    const { entries } = await tenant.journal({ ended: callsOfEach });
    expect(entries.map(({ reply }) => reply.fault?.id)).toEqual(entries.map(() => plan.reply.fault?.id));
    expect(entries).toHaveLength(callsOfEach);
  }
});

it('keeps an endless fault of one tenant when another tenant is reset', async () => {
  const [dribbling, other] = [simulators.tenant(), simulators.tenant()];
  for (const tenant of [dribbling, other]) await tenant.script({ replies: [{ fault: { id: 'T12' } }] });
  const [kept, gone] = [dribbling, other].map((tenant) => rawCall(simulators.base(tenant.name)));
  await Promise.all([kept?.until((text) => text !== ''), gone?.until((text) => text !== '')]);
  await other.reset();
  await gone?.over;
  expect((await dribbling.journal()).entries[0]?.reply.ended).toBe('open');
  expect((await postChat(simulators.base(other.name), {})).status).toBe(200);
  kept?.socket.destroy();
});
