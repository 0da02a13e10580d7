import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Report } from 'gatecheck-reports/report';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestIdsOf } from '../suites/engine/request-id.ts';
import { bearer, chatRequest } from '../suites/engine/requests.ts';
import { makeAuthority } from '../suites/receiver/authority.ts';
import { type FrontProxy, startFrontProxy } from '../suites/rewrite/front-proxy.ts';
import type { Mutation } from '../suites/rewrite/mutation.ts';
import { type Stack, startStack } from '../suites/stack/stack.ts';
import { MemoryBudget } from '../suites/watch/memory-budget.ts';
import { startRelay } from '../suites/watch/relay.ts';
import { watchBefore } from '../suites/watch/testing/watch-before.ts';
import type { Watcher } from '../suites/watch/watcher.ts';
import { createWireClient, type WireClient } from '../suites/wire/client.ts';
import type { Exchange } from '../suites/wire/exchange.ts';
import { allMutants } from './mutants/all-mutants.ts';
import { formVariants } from './variants/variants.ts';

/**
 * Gateways with one defect that ordinary traffic shows, and harmless ones, behind `gatecheck watch` with ordinary callers.
 */

const defects = [
  ['resp.total-off-by-one', 'RESP-020 total-is-sum'],
  ['resp.model-dated', 'RESP-004 served-model'],
  ['resp.created-ms', 'RESP-003 created-now'],
  ['sse.no-done', 'SSE-008 done-last-once'],
  ['sse.text-plain', 'SSE-001 stream-content-type'],
  ['sse.finish-missing', 'SSE-012 finish-once'],
  ['err.flat', 'ERR-002 error-shape'],
  ['err.status-400', 'ERR-008 triple'],
  ['compa.not-json', 'COMPA-010 content-type'],
  ['compb.no-finish', 'COMPB-010 finish-reason'],
  ['img.two-by-default', 'IMG-012 one-by-default'],
  ['task.running-on-submit', 'TASK-011 queued-on-submit'],
] as const;

const variants = formVariants.filter(({ mutation }) => Object.keys(mutation).length > 0).slice(0, 24);

let stack: Stack;
let front: FrontProxy;
let receiver: RealReceiver;
beforeAll(async () => {
  receiver = await startReceiver();
  const { host, ca } = receiver;
  stack = await startStack({
    ...{ seed: 1, tenants: 1, webhookHosts: [{ host, addresses: [] }], webhookCa: ca },
  });
  const mutations = new Map<string, Mutation>(variants.map(({ id, mutation }) => [id, mutation]));
  for (const [id] of defects) {
    const mutant = allMutants.find((one) => one.id === id);
    if (mutant === undefined || mutant.kind === 'source') throw new Error(`${id} is no mutant in front`);
    mutations.set(id, mutant.mutation);
  }
  front = await startFrontProxy(stack.baseUrl, mutations);
}, 120_000);
afterAll(async () => {
  await front.close();
  await stack.stop();
  await receiver.close();
});

/** A receiver of events, behind a watch that uses TLS. */
interface RealReceiver {
  /** Host and port of the watch. */
  readonly host: string;
  /** The file with the certificate of its authority. */
  readonly ca: string;
  /** The bodies that arrived. */
  readonly bodies: string[];
  /** The watcher that judges its traffic. */
  watcher: Watcher | null;
  close(): Promise<void>;
}

async function startReceiver(): Promise<RealReceiver> {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    bodies.push(await text(request));
    response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const authority = await makeAuthority(Date.now());
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-watch-'));
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, authority.cert);
  const relay = await startRelay({
    upstream: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    ...{
      host: '127.0.0.1',
      port: 0,
      memory: new MemoryBudget(1e7, 1e8),
      tls: await authority.issue(['127.0.0.1']),
    },
    onPassing: (passing) => receiver.watcher?.take(passing),
    onUnjudged: (why) => receiver.watcher?.leftOut(why),
  });
  const close = async (): Promise<void> => {
    await relay.close();
    server.close();
    rmSync(folder, { recursive: true });
  };
  return { host: new URL(relay.url).host, ca, bodies, watcher: null, close };
}

/** The findings of a watch between ordinary callers and a gateway, and between the gateway and a receiver. */
async function watch(
  baseUrl: string,
  further: (base: string) => Promise<void> = async () => undefined,
): Promise<{ found: string[]; report: Report }> {
  const { baseUrl: base, watcher, found, close } = await watchBefore(baseUrl, stack.profile);
  receiver.watcher = watcher;
  let closed: Awaited<ReturnType<typeof close>>;
  try {
    await ordinaryCalls(base);
    await further(base);
  } finally {
    receiver.watcher = null;
    closed = await close();
  }
  return {
    found: found.map(({ requirement, aspect }) => `${requirement} ${aspect}`),
    report: closed.report,
  };
}

async function ordinaryCalls(base: string): Promise<void> {
  const client = createWireClient({ ...stack.profile, base_url: base });
  const key = stack.profile.keys.K1;
  const messages = [{ role: 'user', content: 'Good morning to everybody who reads along here.' }];
  const post = (
    path: string,
    body: object,
    headers: Record<string, string> = bearer(key),
  ): Promise<unknown> => client.send({ method: 'POST', path, body, headers });
  try {
    await client.send({ method: 'GET', path: '/api/v1/models', headers: bearer(key) });
    for (const model of ['alpha-5-2', 'beta-mid-4-5', 'gamma-3-pro']) {
      await client.send(chatRequest({ model, messages }, {}, key));
      await client.send(chatRequest({ model, messages, stream: true }, {}, key));
    }
    const refused = await client.send(chatRequest({ model: 'nobody-1', messages }, {}, key));
    const served = await client.send(chatRequest({ model: 'alpha-5-2', messages }, {}, key));
    await readCharges(client, [refused, served]);
    await client.send(chatRequest({ model: 'alpha-5-2', messages }, {}, 'sk-app-of-nobody-at-all'));
    const version = { 'x-api-key': key, 'compat-a-version': '2023-06-01' };
    await post('/compat-a/v1/messages', { model: 'beta-mid-4-5', max_tokens: 64, messages }, version);
    const contents = [{ role: 'user', parts: [{ text: 'Good morning.' }] }];
    await post(`/compat-b/v1beta/models/gamma-3-pro:generateContent?key=${key}`, { contents }, {});
    await post('/api/v1/images/generations', { model: imageModel, prompt: 'A quiet sea.' });
    const body = { model: taskModel, prompt: 'A quiet sea.' };
    const task = await client.send({ method: 'POST', path: '/api/v1/tasks', body, headers: bearer(key) });
    const { task_id: id = '' } = JSON.parse(task.response?.body.toString() ?? '{}') as { task_id?: string };
    const path = `/api/v1/tasks/${id}`;
    for (const _ of [1, 2]) await client.send({ method: 'GET', path, headers: bearer(key) });
  } finally {
    await client.close();
  }
}

/** Reads the charges of calls. */
async function readCharges(client: WireClient, calls: readonly Exchange[]): Promise<void> {
  const { ledger, usage } = stack.profile.hooks;
  for (const exchange of calls)
    for (const hook of [ledger, usage]) {
      const [id] = requestIdsOf(exchange, stack.profile);
      const path = `${new URL(hook?.url ?? '').pathname}?request_id=${id}`;
      await client.send({ method: 'GET', path, headers: bearer(hook?.token ?? '') });
    }
}

/** A task whose event goes to the receiver; it is read until it has ended, and once more after the event. */
async function taskWithEvent(base: string): Promise<void> {
  const client = createWireClient({ ...stack.profile, base_url: base });
  const headers = bearer(stack.profile.keys.K1);
  const body = { model: taskModel, prompt: 'A sea.', webhook_url: `https://${receiver.host}/hooks?of=watch` };
  const jsonIn = ({ response }: Exchange): Record<string, unknown> =>
    JSON.parse(response?.body.toString() ?? '{}');
  try {
    const task = await client.send({ method: 'POST', path: '/api/v1/tasks', body, headers });
    const path = `/api/v1/tasks/${jsonIn(task).task_id}`;
    const read = async (): Promise<unknown> =>
      jsonIn(await client.send({ method: 'GET', path, headers })).status;
    await expect.poll(read, { timeout: 30_000, interval: 100 }).toBe('SUCCESS');
    const judged = (): unknown => receiver.watcher?.seen.get('events')?.judged;
    await expect.poll(judged, { timeout: 30_000 }).toBe(1);
    await read();
    expect(receiver.bodies[0]).toContain(`${jsonIn(task).task_id}`);
  } finally {
    await client.close();
  }
}

const imageModel = 'alpha-image-2';
const taskModel = 'vidB2';

describe('a watch', () => {
  it('reports nothing on the reference, judges each group of rules, and names what it cannot judge', {
    timeout: 60_000,
  }, async () => {
    const { found, report } = await watch(stack.baseUrl, taskWithEvent);
    expect(found).toEqual([]);
    expect(report.checks.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual(
      report.checks.map(({ id }) => `${id} pass`),
    );
    expect(report.exit_code).toBe(0);
    expect(report.notices?.join(' ')).not.toContain('a fault of the watch');
    const open = report.not_covered.find(({ id }) => id === 'LIM-004');
    expect(open?.not_checked).toContain('passing traffic cannot show it');
  });

  it.each(defects)('detects %s: %s', { timeout: 60_000 }, async (id, rule) => {
    const { found, report } = await watch(front.baseUrlOf(id));
    expect(found).toContain(rule);
    expect(report.exit_code).toBe(1);
    const shown = JSON.stringify(report);
    expect(shown).not.toContain(stack.profile.keys.K1);
    expect(shown).not.toContain('everybody who reads along');
  });

  it.each(variants)('reports nothing on $id', { timeout: 60_000 }, async ({ id }) => {
    expect((await watch(front.baseUrlOf(id))).found).toEqual([]);
  });
});
