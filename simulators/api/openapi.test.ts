import { request } from 'undici';
import { afterAll, expect, it } from 'vitest';
import type { z } from 'zod';
import { postChat } from '../testing/post-chat.ts';
import { postJob } from '../testing/post-media.ts';
import { useSimulators } from '../testing/simulators.ts';
import { routes } from './routes.ts';

const simulators = useSimulators({ testClock: true });
const called = new Set<string>();

/** Calls a route and validates the answer against the schema in the document. */
async function call(
  method: string,
  path: string,
  params: Record<string, string> = {},
  body?: unknown,
): Promise<unknown> {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
  const answer = await request(`${simulators.controlUrl}${filled}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const json = await answer.body.json();
  expect([method, path, answer.statusCode, json]).toEqual([method, path, 200, json]);
  const route = routes.find((one) => one.method === method && one.path === path);
  const parsed = (route?.answer as z.ZodType | undefined)?.safeParse(json);
  expect([path, parsed?.error?.issues ?? []]).toEqual([path, []]);
  called.add(`${method} ${path}`);
  return json;
}

const idOf = (answer: unknown): string => (answer as { id: string }).id;

it('answers every route as the document declares', async () => {
  const tenant = 'documented';
  const base = simulators.base(tenant);
  const t = '/tenants/{tenant}';
  for (const path of [
    '/health',
    '/openapi.json',
    '/schemas/scripts',
    '/schemas/scenario',
    '/faults',
    '/variants',
    '/clock',
    '/tenants',
    '/tenant-rules',
  ])
    await call('GET', path);
  await call('POST', '/clock', {}, { advance_ms: 1 });
  const when = { key: 'sk-of-the-document' };
  const rule = idOf(await call('POST', '/tenant-rules', {}, { tenant, channel: 'alpha', when }));
  await call('GET', '/tenant-rules');
  await call('DELETE', '/tenant-rules/{id}', { id: rule });
  const script = { name: 'greeting', match: { text: 'hello', model: 'a*', tools: false }, reply: 'Hi' };
  const id = idOf(await call('POST', `${t}/scripts`, { tenant }, script));
  await call('PUT', `${t}/scripts/{id}`, { tenant, id }, { ...script, reply: { text: 'Hello' } });
  await call('GET', `${t}/scripts`, { tenant });
  await call('PUT', `${t}/settings`, { tenant }, { strict: true });
  await call(
    'POST',
    `${t}/faults`,
    { tenant },
    { fault: { id: 'S18', wait_ms: 1 }, times: 1, rate: 1, ttl_ms: 10_000 },
  );
  await call('GET', `${t}/faults`, { tenant });
  await postChat(base, { stream: true });
  await postChat(base, {});
  await call('GET', `${t}/check`, { tenant });
  await call('DELETE', `${t}/scripts/{id}`, { tenant, id });
  await call('DELETE', `${t}/scripts`, { tenant });
  const fault = idOf(await call('POST', `${t}/faults`, { tenant }, { reply: { job: { hold: 'queued' } } }));
  await postJob(base, { model: 'vidB2-native', input: { prompt_text: 'the sea' } });
  const { jobs } = (await call('GET', `${t}/jobs`, { tenant })) as { jobs: { id: string }[] };
  await call('POST', `${t}/jobs/{id}`, { tenant, id: jobs[0]?.id ?? '' }, { to: 'running' });
  await call('DELETE', `${t}/faults/{id}`, { tenant, id: fault });
  await call('DELETE', `${t}/faults`, { tenant });
  await call('POST', `${t}/scenario`, { tenant }, { file: 'b1-brownout' });
  await call('GET', `${t}/scenario`, { tenant });
  await call('POST', `${t}/scenario/step`, { tenant });
  await call('DELETE', `${t}/scenario`, { tenant });
  await call('POST', `${t}/release`, { tenant });
  await call('GET', `${t}/journal`, { tenant });
  await call('POST', `${t}/reset`, { tenant });
});

afterAll(() => {
  const missed = routes.map(({ method, path }) => `${method} ${path}`).filter((name) => !called.has(name));
  if (called.size > 0) expect(missed).toEqual([]);
});

it('documents every route, with an operation of its own', async () => {
  const { statusCode, body } = await request(`${simulators.controlUrl}/openapi.json`);
  const document = (await body.json()) as {
    openapi: string;
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  expect([statusCode, document.openapi]).toEqual([200, '3.1.0']);
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operationId,
    })),
  );
  expect(operations.map(({ name }) => name).toSorted()).toEqual(
    routes.map(({ method, path }) => `${method} ${path}`).toSorted(),
  );
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  expect(JSON.stringify(document)).not.toContain('"$ref":"#/$defs');
});

it('accepts the former names in paths and members', async () => {
  const url = (path: string) => `${simulators.controlUrl}${path}`;
  const post = (path: string, body: unknown) =>
    request(url(path), { method: 'POST', body: JSON.stringify(body) });
  const rule = await post('/scopes', { scope: 'former', when: { key: 'sk-formerly-so' } });
  expect(await rule.body.json()).toEqual({ id: expect.any(String) });
  expect(await (await request(url('/scopes'))).body.json()).toMatchObject({ scopes: [{ scope: 'former' }] });
  await post('/lanes/former/arms', { reply: { body: { scope: 'kept', lane: 'kept' } } });
  expect(await (await request(url('/lanes/former/arms'))).body.json()).toMatchObject({
    arms: [{ reply: { body: { scope: 'kept', lane: 'kept' } } }],
  });
  await postChat(simulators.base('former'), {});
  expect(await (await request(url('/lanes/former/journal'))).body.json()).toMatchObject({
    entries: [{ lane: 'former' }],
  });
});
