import { request } from 'undici';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { ConsoleRow, ConsoleTenant } from '../../control/console-shapes.ts';
import type { JournalEntry } from '../../control/journal.ts';
import { postChat } from '../../testing/post-chat.ts';
import { postJob } from '../../testing/post-media.ts';
import { useSimulators } from '../../testing/simulators.ts';

const token = 'a-token-of-the-console';
const simulators = useSimulators({ testClock: true, consoleToken: token });
const bearer = { authorization: `Bearer ${token}` };

async function get(path: string, headers: Record<string, string> = bearer) {
  const {
    statusCode,
    headers: answered,
    body,
  } = await request(`${simulators.controlUrl}${path}`, { headers });
  return { status: statusCode, headers: answered, text: await body.text() };
}

async function json<T>(path: string): Promise<T> {
  const { status, text } = await get(path);
  expect(status).toBe(200);
  return JSON.parse(text) as T;
}

/** Reads events of the feed until one fits. */
async function feedUntil(fits: (event: string, data: string) => boolean): Promise<void> {
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const { body } = await request(`${simulators.controlUrl}/console/api/feed`, {
    headers: bearer,
    signal: abort.signal,
  });
  body.on('error', () => undefined);
  let rest = '';
  for await (const piece of body) {
    const frames = (rest + String(piece)).split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      const [, event = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(frame) ?? [];
      if (fits(event, data)) return;
    }
  }
  expect.fail('the feed has ended');
}

it('serves the page to every local caller, under a policy that blocks all other content', async () => {
  const page = await get('/console/', {});
  expect(page.status).toBe(200);
  const policy = String(page.headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe');
  expect(page.text).not.toContain(token);
  for (const path of page.text.matchAll(/(?:href|src)="([^"]+)"/g))
    expect((await get(`/console/${path[1]}`, {})).status, path[1]).toBe(200);
  expect((await get('/console/', { host: 'rebound.example' })).status).toBe(403);
});

it('serves every module that the page imports', async () => {
  const seen = new Set<string>();
  const follow = async (path: string): Promise<void> => {
    if (seen.has(path)) return;
    seen.add(path);
    const { status, text, headers } = await get(path, {});
    expect([status, headers['content-type']], path).toEqual([200, 'text/javascript; charset=utf-8']);
    for (const [, name = ''] of text.matchAll(
      /^(?:import|export)\b[^'"();]*["']((?:\.|lit-html)[^"']*)["']/gm,
    )) {
      const mapped = name.replace(/^lit-html$/, './lib/lit-html.js').replace(/^lit-html\//, './lib/');
      const from = name.startsWith('lit-html') ? '/console/main.js' : path;
      await follow(new URL(mapped, `http://page${from}`).pathname);
    }
  };
  await follow('/console/main.js');
  expect(seen).toContain('/console/lib/lit-html.js');
  expect(seen.size).toBeGreaterThan(15);
});

it.each([
  '/console/../server.ts',
  '/console/tsconfig.json',
  '/console/lib/package.json',
  '/console/store.test.ts',
])('serves no other file of its folders: %s', async (path) => {
  expect((await get(path)).status).toBe(404);
});

it.each([
  [{}, 401],
  [{ authorization: 'Bearer another-token' }, 401],
  [{ ...bearer, host: 'rebound.example' }, 403],
  [{ ...bearer, origin: 'https://page.example' }, 403],
  [bearer, 200],
])('requires its token below api: %j', async (headers, status) => {
  expect((await get('/console/api/scenarios', headers as Record<string, string>)).status).toBe(status);
});

it('sends existing requests and every change, as rows without bodies', async () => {
  const tenant = simulators.tenant();
  await tenant.addFault({ fault: { id: 'H1' }, times: 1 });
  const base = simulators.base(tenant.name);
  await postChat(base, { messages: [{ role: 'user', content: 'The same call' }] });
  const rows = new Map<number, ConsoleRow>();
  const reading = feedUntil((event, data) => {
    if (event !== 'rows') return false;
    for (const row of JSON.parse(data) as ConsoleRow[]) if (row.tenant === tenant.name) rows.set(row.n, row);
    return rows.get(2)?.ended === 'complete';
  });
  await postChat(simulators.base(tenant.name, 'beta'), {
    messages: [{ role: 'user', content: 'The same call' }],
  });
  await reading;
  const [first, second] = [rows.get(1), rows.get(2)];
  expect(first).toMatchObject({
    channel: 'alpha',
    status: 429,
    fault: { id: 'H1' },
    by: 'fault-1',
    ended: 'complete',
  });
  expect(second).toMatchObject({ channel: 'beta', status: 200, fault: null });
  expect(first?.call).toEqual(expect.any(String));
  expect(second?.call).toBe(first?.call);
  expect(JSON.stringify([...rows.values()])).not.toContain('The same call');
});

it('reports that a tenant was cleared', async () => {
  const tenant = simulators.tenant();
  await postChat(simulators.base(tenant.name), {});
  let hasRow = false;
  await feedUntil((event, data) => {
    if (event === 'rows' && data.includes(`"${tenant.name}"`) && !hasRow) {
      hasRow = true;
      void tenant.reset();
    }
    return event === 'cleared' && (JSON.parse(data) as string[]).includes(tenant.name);
  });
  expect(hasRow).toBe(true);
});

it('ends a feed when its reader disconnects, so that closed pages leave nothing behind', async () => {
  const open = async (): Promise<{ status: number; leave: () => void }> => {
    const abort = new AbortController();
    const { statusCode, body } = await request(`${simulators.controlUrl}/console/api/feed`, {
      headers: bearer,
      signal: abort.signal,
    });
    body.on('error', () => undefined);
    return { status: statusCode, leave: () => abort.abort() };
  };
  for (let round = 0; round < 3; round += 1) {
    const pages = await vi.waitFor(async () => {
      const opened = await Promise.all(Array.from({ length: 20 }, open));
      onTestFinished(() => opened.forEach(({ leave }) => void leave()));
      if (opened.some(({ status }) => status !== 200)) for (const { leave } of opened) leave();
      expect(opened.map(({ status }) => status)).toEqual(opened.map(() => 200));
      return opened;
    });
    for (const { leave } of pages) leave();
  }
});

it('shows a tenant: faults, scenario with its phases, jobs, clock; and one request with its bytes', async () => {
  const tenant = simulators.tenant();
  await tenant.addFault({ fault: { id: 'S3' }, ttl_ms: 60_000, when: { channel: 'other' } });
  await tenant.play({ file: 'b1-brownout' });
  await postJob(simulators.base(tenant.name, 'video'), {
    model: 'vidB2-native',
    input: { prompt_text: 'the sea' },
  });
  const shown = await json<ConsoleTenant>(`/console/api/tenants/${tenant.name}`);
  expect(shown).toMatchObject({
    tenant: tenant.name,
    clock: true,
    faults: [{ id: 'fault-1' }],
    jobs: [{ request_n: 1 }],
  });
  expect(shown.scenario?.state.name).toBe('b1-brownout');
  expect(shown.scenario?.plan.channels['*']?.phases?.map(({ name }) => name)).toEqual(['worsening', 'worst']);
  const entry = await json<JournalEntry>(`/console/api/tenants/${tenant.name}/requests/1`);
  expect(Buffer.from(entry.request.body_base64, 'base64').toString()).toContain('the sea');
  expect((await get(`/console/api/tenants/${tenant.name}/requests/9`)).status).toBe(404);
});

it('lists the scenarios, and no events without a receiver', async () => {
  const { scenarios } = await json<{ scenarios: { name: string }[] }>('/console/api/scenarios');
  expect(scenarios.map(({ name }) => name)).toContain('b5-all-down');
  expect(await json('/console/api/events')).toEqual({ receiver: false, deliveries: [] });
});
