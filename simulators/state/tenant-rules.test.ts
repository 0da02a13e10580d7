import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ControlError, type JournalEntry, type TenantControl, type TenantRule } from '../control/client.ts';
import { type Answer, post } from '../testing/post.ts';
import { chatBody } from '../testing/post-chat.ts';
import { useSimulators } from '../testing/simulators.ts';

const simulators = useSimulators();

afterEach(async () => {
  for (const { id } of await simulators.control.tenantRules()) await simulators.control.removeTenantRule(id);
  await simulators.control.tenant('default').reset();
});

const origin = (): string => new URL(simulators.base('x')).origin;

/** A call from a client that knows nothing of tenants. */
function call(
  path = '/v1/chat/completions',
  {
    key = 'sk-upstream-1',
    headers = {},
    ...body
  }: { key?: string; headers?: Record<string, string>; [member: string]: unknown } = {},
): Promise<Answer> {
  return post(`${origin()}${path}`, chatBody(body), { authorization: `Bearer ${key}`, ...headers });
}

/** A tenant whose upstreams answer with its name, so that every answer identifies the tenant of its request. */
async function namedTenant(): Promise<TenantControl> {
  const tenant = simulators.tenant();
  await tenant.script({ replies: [{ text: tenant.name, obey: false }] });
  return tenant;
}

const said = (answer: Answer): string =>
  answer.json<{ choices: [{ message: { content: string } }] }>().choices[0].message.content;

describe('a rule', () => {
  const cases: [string, TenantRule['when'], Parameters<typeof call>, Parameters<typeof call>][] = [
    [
      'key',
      { key: 'sk-team-a-0001' },
      [undefined, { key: 'sk-team-a-0001' }],
      [undefined, { key: 'sk-team-b-0001' }],
    ],
    ['path', { path: '/team-a' }, ['/team-a/v1/chat/completions'], []],
    ['model', { model: 'd3-2026-07-11' }, [undefined, { model: 'd3-2026-07-11' }], []],
    [
      'marker',
      { marker: 'mark-7' },
      [undefined, { messages: [{ role: 'user', content: 'x mark-7 y' }] }],
      [],
    ],
    [
      'header',
      { header: { name: 'X-Team', value: 'a' } },
      [undefined, { headers: { 'x-team': 'a' } }],
      [undefined, { headers: { 'x-team': 'b' } }],
    ],
  ];
  it.each(cases)('assigns requests to a tenant by their %s, and no others', async (_, when, meant, other) => {
    const tenant = await namedTenant();
    await simulators.control.addTenantRule({ tenant: tenant.name, when });
    expect(said(await call(...meant))).toBe(tenant.name);
    expect(said(await call(...other))).not.toBe(tenant.name);
    expect((await tenant.journal({ ended: 1 })).entries).toHaveLength(1);
  });

  it('can take the tenant from a header; an invalid name leaves the request with the default tenant', async () => {
    const tenant = await namedTenant();
    await simulators.control.addTenantRule({ when: { header: { name: 'x-scope' } } });
    expect(said(await call(undefined, { headers: { 'x-scope': tenant.name } }))).toBe(tenant.name);
    expect((await call(undefined, { headers: { 'x-scope': 'not a name' } })).status).toBe(200);
    expect((await simulators.control.tenant('default').journal({ ended: 1 })).entries).toHaveLength(1);
  });

  it('needs all its conditions, and the first matching rule decides', async () => {
    const [first, second] = [await namedTenant(), await namedTenant()];
    await simulators.control.addTenantRule({
      tenant: first.name,
      when: { key: 'sk-team-a-0002', marker: 'mark' },
    });
    await simulators.control.addTenantRule({ tenant: second.name, when: { key: 'sk-team-a-0002' } });
    const marked = { key: 'sk-team-a-0002', messages: [{ role: 'user', content: 'mark' }] };
    expect(said(await call(undefined, marked))).toBe(first.name);
    expect(said(await call(undefined, { key: 'sk-team-a-0002' }))).toBe(second.name);
  });

  it('can set the channel, or leave it to the URL after a removed prefix', async () => {
    const tenant = simulators.tenant();
    await simulators.control.addTenantRule({
      tenant: tenant.name,
      channel: 'one',
      when: { key: 'sk-team-a-0003' },
    });
    await simulators.control.addTenantRule({ tenant: tenant.name, when: { path: '/eu/west' } });
    await call(undefined, { key: 'sk-team-a-0003' });
    await call('/eu/west/v1/chat/completions');
    await call('/eu/west/two/v1/chat/completions?x=1');
    const { entries } = await tenant.journal({ ended: 3 });
    expect(entries.map(({ channel, reply }) => [channel, reply.status])).toEqual([
      ['one', 200],
      ['default', 200],
      ['two', 200],
    ]);
  });

  it('does not apply to a URL with a tenant, and keeps the channel of a URL with the tenant `default`', async () => {
    const [ruled, addressed] = [simulators.tenant(), simulators.tenant()];
    await simulators.control.addTenantRule({ tenant: ruled.name, when: { key: 'sk-team-a-0004' } });
    await call(`/${addressed.name}/alpha/v1/chat/completions`, { key: 'sk-team-a-0004' });
    await call('/default/beta/v1/chat/completions', { key: 'sk-team-a-0004' });
    const [own, given] = [await addressed.journal({ ended: 1 }), await ruled.journal({ ended: 1 })];
    expect(own.entries.map(({ channel }) => channel)).toEqual(['alpha']);
    expect(given.entries.map(({ channel }) => channel)).toEqual(['beta']);
  });

  it('on the body keeps the whole body', async () => {
    const tenant = simulators.tenant();
    await simulators.control.addTenantRule({ tenant: tenant.name, when: { marker: 'the end' } });
    const content = `${'x'.repeat(300_000)}the end`;
    await call(undefined, { messages: [{ role: 'user', content }] });
    const [entry] = (await tenant.journal({ ended: 1 })).entries;
    expect(entry?.request.complete).toBe(true);
    expect(Buffer.from(entry?.request.body_base64 ?? '', 'base64').toString()).toContain(content);
  });

  it('on the body does not match a request with an incomplete body', async () => {
    const tenant = simulators.tenant();
    await simulators.control.addTenantRule({ tenant: tenant.name, when: { marker: 'mark' } });
    const { hostname, port } = new URL(origin());
    const socket = connect(Number(port), hostname);
    socket.end(
      'POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\ncontent-length: 99\r\n\r\nhalf, with the mark',
    );
    const { entries } = await simulators.control.tenant('default').journal({ ended: 1 });
    expect(entries[0]).toMatchObject({
      request: { complete: false },
      reply: { ended: 'client-gone', status: null },
    });
    expect(Buffer.from(entries[0]?.request.body_base64 ?? '', 'base64').toString()).toBe(
      'half, with the mark',
    );
    expect((await tenant.journal()).entries).toEqual([]);
    socket.destroy();
  });

  it('is rejected with the path of the invalid member', async () => {
    const cases: [unknown, string][] = [
      [{ tenant: 'a', when: {} }, 'when'],
      [{ when: { marker: 'a' } }, 'tenant'],
      [{ tenant: 'v1', when: { marker: 'a' } }, 'tenant'],
      [{ tenant: 'a', when: { key: 'short' } }, 'when.key'],
      [{ tenant: 'a', when: { key: 'a half \ud800 pair' } }, 'when.key'],
      [{ tenant: 'a', when: { header: { name: 'x-api-key', value: 'short' } } }, 'when.header.value'],
      [{ tenant: 'a', when: { path: 'no-slash' } }, 'when.path'],
      [{ tenant: 'a', when: { marker: 'a' }, extra: 1 }, 'extra'],
    ];
    for (const [rule, path] of cases) {
      const error: unknown = await simulators.control
        .addTenantRule(rule as TenantRule)
        .catch((reason: unknown) => reason);
      expect(error instanceof ControlError && [error.status, error.path], path).toEqual([400, path]);
    }
  });
});

describe('a key in a selector', () => {
  const key = 'sk-secret/with+odd=parts';
  const shown = /sha256:[0-9a-f]{12}/;

  it('never appears again in lists or journals, in any dialect', async () => {
    const tenant = simulators.tenant();
    await simulators.control.addTenantRule({ tenant: tenant.name, when: { key } });
    await tenant.addFault({ reply: { body: `you sent ${key}` }, when: { key } });
    await call(undefined, { key, messages: [{ role: 'user', content: `my key is ${key}` }] });
    const query = `?key=${encodeURIComponent(key)}`;
    await post(`${origin()}/v1beta/models/g3f-2026-09:generateContent${query}`, {}, {});
    await post(`${origin()}/v1/messages`, {}, { 'x-api-key': key });
    const journal = await tenant.journal({ ended: 3 });
    expect(journal.entries).toHaveLength(3);
    const everything = [
      journal,
      await tenant.faults(),
      await simulators.control.tenantRules(),
      journal.entries.map(bodies),
    ];
    for (const text of everything.map((value) => JSON.stringify(value))) {
      expect(text).not.toContain(key);
      expect(text).not.toContain(encodeURIComponent(key));
      expect(text).toMatch(shown);
    }
  });

  it('is redacted in the journal even if the URL encodes some of its characters', async () => {
    const tenant = simulators.tenant();
    await simulators.control.addTenantRule({ tenant: tenant.name, when: { key } });
    const queries = [key, 'sk%2dsecret%2fwith%2bodd%3dparts', '%73k-secret%2Fwith%2Bodd%3Dp%61rts'];
    for (const query of queries.slice(1)) {
      await post(`${origin()}/v1beta/models/g3f-2026-09:generateContent?key=${query}`, {}, {});
    }
    const { entries } = await tenant.journal({ ended: 2 });
    expect(entries.map(({ request: { path } }) => path.split('key=')[1])).toEqual([
      expect.stringMatching(/^sha256:[0-9a-f]{12}$/),
      expect.stringMatching(/^sha256:[0-9a-f]{12}$/),
    ]);
  });

  it('is redacted if it was given as a header value', async () => {
    const tenant = simulators.tenant();
    const header = { name: 'Authorization', value: `Bearer ${key}-6` };
    await simulators.control.addTenantRule({ tenant: tenant.name, when: { header } });
    await tenant.addFault({ reply: { status: 503 }, when: { header } });
    await call(undefined, { key: `${key}-6` });
    const shownAgain = [
      await tenant.journal({ ended: 1 }),
      await tenant.faults(),
      await simulators.control.tenantRules(),
    ];
    for (const value of shownAgain) expect(JSON.stringify(value)).not.toContain(`${key}-6`);
    expect((await tenant.journal()).entries[0]?.reply.status).toBe(503);
  });

  it('may look like the JSON that contains it', async () => {
    const tenant = simulators.tenant();
    await tenant.addFault({ reply: { body: { 'null,"rate"': 1 } }, when: { key: 'null,"rate"' } });
    const [arm] = await tenant.faults();
    expect(arm).toMatchObject({ rate: 1, times_left: null });
    expect(JSON.stringify(arm?.reply)).toMatch(shown);
  });

  const bodies = ({ request, reply }: JournalEntry): string[] =>
    [request.body_base64, reply.body_base64].map((body) => Buffer.from(body, 'base64').toString('latin1'));
});
