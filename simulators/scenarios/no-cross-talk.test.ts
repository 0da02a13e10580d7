import { expect, it } from 'vitest';
import type { TenantControl } from '../control/client.ts';
import { type Answer, post } from '../testing/post.ts';
import { chatBody } from '../testing/post-chat.ts';
import { useSimulators } from '../testing/simulators.ts';

const simulators = useSimulators();

/** One of the 64 clients: its key, the key's tenant, and the behaviour of its upstreams. */
interface Client {
  readonly name: string;
  readonly key: string;
  readonly tenant: TenantControl;
  readonly fault: string;
}

const callsEach = 8;
const faultIds = ['H6', 'H12', 'H15', 'H17'];

async function prepare(at: number): Promise<Client> {
  const name = `client-${String(at).padStart(2, '0')}`;
  const client = {
    name,
    key: `sk-key-of-${name}`,
    tenant: simulators.control.tenant(name),
    fault: faultIds[at % 4] ?? '',
  };
  await simulators.control.addTenantRule({ tenant: name, when: { key: client.key } });
  await client.tenant.script({ replies: [{ text: `text for ${name}`, obey: false }] });
  await client.tenant.addFault({ fault: { id: client.fault }, rate: 0.5 });
  await client.tenant.addFault({ reply: { status: 418, body: `teapot of ${name}` }, times: 1 });
  return client;
}

/** Every call has its own marker in its prompt. */
function call({ name, key }: Client, nth: number): Promise<Answer> {
  const url = `${new URL(simulators.base('x')).origin}/v1/chat/completions`;
  const content = `call ${name}.${nth}.`;
  return post(url, chatBody({ messages: [{ role: 'user', content }] }), { authorization: `Bearer ${key}` });
}

it('lets 64 clients at one address, distinguished by their keys, see their own faults and no others', async () => {
  const clients = await Promise.all(Array.from({ length: 64 }, (_, at) => prepare(at)));
  const answers = await Promise.all(
    clients.map((client) => Promise.all(Array.from({ length: callsEach }, (_, nth) => call(client, nth)))),
  );
  const journals = await Promise.all(clients.map(({ tenant }) => tenant.journal({ ended: callsEach })));
  for (const [at, { name, fault }] of clients.entries()) {
    const given = answers[at] ?? [];
    const { entries } = journals[at] ?? { entries: [] };
    expect(given.filter(({ text }) => text === `teapot of ${name}`)).toHaveLength(1);
    for (const { text, status } of given) {
      if (status === 200) expect(text).toContain(`text for ${name}`);
      else if (status !== 418) expect(text).not.toContain('client-');
    }
    expect(entries).toHaveLength(callsEach);
    for (const { request, reply, tenant } of entries) {
      expect(Buffer.from(request.body_base64, 'base64').toString()).toContain(`call ${name}.`);
      expect(tenant).toBe(name);
      if (reply.status !== 200 && reply.status !== 418) expect(reply.fault?.id).toBe(fault);
    }
    const statuses = (list: readonly { status: number | null }[]): (number | null)[] =>
      list.map(({ status }) => status).toSorted();
    expect(statuses(given)).toEqual(statuses(entries.map(({ reply }) => reply)));
  }
  const seen = answers.flat().map(({ status }) => status);
  expect(new Set(seen).size).toBeGreaterThan(3);
  expect((await simulators.control.tenant('default').journal()).entries).toEqual([]);
});
