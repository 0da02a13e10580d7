import { SimulatorControl } from 'gatecheck-simulators/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createStackClock } from '../suites/engine/clock-control.ts';
import type { Profile } from '../suites/profile/profile.ts';
import { type Stack, startStack } from '../suites/stack/stack.ts';
import { type Collector, startCollector } from '../suites/stack/testing/collector.ts';
import { disagreements, type LogLine, scrape, type Witnesses } from '../suites/stack/testing/witnesses.ts';
import { isJsonObject, parseJson } from '../suites/values/json.ts';
import { createWireClient } from '../suites/wire/client.ts';
import type { Exchange } from '../suites/wire/exchange.ts';
import { type Patch, patchFlags } from './kill-matrix/patch.ts';

/**
 * Metrics, traces, log, usage log, ledger and the upstreams' journal must agree about one mixed run. The run has faults:
 * plain calls and streams, retries, fallbacks, failed calls, rejections, and tasks.
 */

let stack: Stack;
let collector: Collector;
let upstreams: SimulatorControl;
let output = '';
let gateways = 0;
beforeAll(async () => {
  collector = await startCollector();
  const onLog = (text: string): void => {
    output += text;
  };
  stack = await startStack({ seed: 1, tenants: 0, moreGateways: true, onLog });
  upstreams = new SimulatorControl(stack.profile.upstream?.control ?? '');
});
afterAll(async () => {
  await upstreams?.close();
  await stack?.stop();
  collector?.close();
});

const tenant = () => upstreams.tenant('default');

/** Runs everything on a separate gateway, whose sources may be patched. */
async function witnessesOf(patch: Patch | null): Promise<Witnesses> {
  const { nodeArgs, env } = patch === null ? { nodeArgs: [], env: process.env } : patchFlags(patch);
  gateways += 1;
  const from = (await tenant().journal()).entries.length;
  output = '';
  const gateway = await stack.addGateway(`told-${gateways}`, nodeArgs, {
    ...env,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  });
  const { profile } = gateway;
  try {
    await mixedRun(profile);
    const records = (await read(profile, '/api/admin/usage')) as unknown as Witnesses['records'];
    const entries = await read(profile, '/api/admin/accounts/default/ledger');
    const journal = (await tenant().journal()).entries.slice(from);
    const metrics = await scrape(profile.base_url, profile.admin?.token ?? '');
    // Remaining spans are sent when the gateway stops.
    await gateway.stop();
    return {
      ...{ metrics, records, journal, spans: collector.take(), log: requestsIn(output) },
      entries: entries as unknown as Witnesses['entries'],
    };
  } finally {
    await gateway.stop();
  }
}

const models = ['beta-mid-4-5', 'alpha-5-codex', 'delta-3'];

async function mixedRun(profile: Profile): Promise<void> {
  const client = createWireClient(profile);
  const ask = (model: string, more: object = {}, key: string = profile.keys.K1): Promise<Exchange> =>
    client.send({
      ...{ method: 'POST', path: '/api/v1/chat/completions', headers: { authorization: `Bearer ${key}` } },
      body: { model, messages: [{ role: 'user', content: 'Count this.' }], ...more },
    });
  try {
    for (const id of ['H7', 'T8', 'S7']) await tenant().addFault({ fault: { id }, times: 2 });
    for (let n = 0; n < 18; n += 1) await ask(models[n % models.length] ?? '', { stream: n % 2 === 1 });
    await tenant().removeFault();
    // All channels of one model fail, so that another one answers; so do those of a model without a fallback.
    for (const channel of ['lead', 'duo-alpha-1', 'duo-alpha-2'])
      await tenant().addFault({ fault: { id: 'H6' }, when: { channel } });
    for (const stream of [false, true]) {
      await ask('lead-1', { stream });
      await ask('duo-alpha', { stream });
    }
    await tenant().removeFault();
    await ask('delta-3', {}, 'sk-app-nobody');
    await ask('no-such-model');
    await ask('delta-3', { temperature: 9 });
    await runTasks(profile, client);
  } finally {
    await client.close();
  }
}

/** Six tasks at once, so that one claim starts the jobs of several: three are polled, three send callbacks. */
async function runTasks(profile: Profile, client: ReturnType<typeof createWireClient>): Promise<void> {
  const { K1, K4 } = profile.keys;
  const time = createStackClock(profile);
  if (time === null) throw new Error('the stack has no clock');
  const run = async (model: string, key: string): Promise<void> => {
    const headers = { authorization: `Bearer ${key}` };
    const body = { model, prompt: 'A harbour.' };
    const submitted = await client.send({ method: 'POST', path: '/api/v1/tasks', headers, body });
    const { task_id: id } = bodyOf(submitted);
    const look = async (): Promise<unknown> =>
      bodyOf(await client.send({ method: 'GET', path: `/api/v1/tasks/${id}`, headers })).status;
    for (let looks = 0; (await look()) !== 'SUCCESS'; looks += 1) {
      if (looks === 200) throw new Error(`the task ${id} does not end`);
      await time.clock.step(10_000);
    }
  };
  try {
    // Two users, each with a cap of three.
    const owners = [K1, K1, K1, K4 ?? K1, K4 ?? K1, K4 ?? K1];
    await Promise.all(owners.map((key, n) => run(n % 2 === 0 ? 'delta-imagine-t2v' : 'voice-music', key)));
  } finally {
    await time.close();
  }
}

function bodyOf({ response }: Exchange): Readonly<Record<string, unknown>> {
  const body = parseJson(response?.body.toString('utf8') ?? '');
  if (response === null || response.status >= 300 || !isJsonObject(body))
    throw new Error(`answered with ${response?.status} ${response?.body}`);
  return body;
}

/** All pages of an admin list. */
async function read({ base_url: url, admin }: Profile, path: string): Promise<object[]> {
  const all: object[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const query = new URLSearchParams({ limit: '100', ...(after === '' ? {} : { after }) });
    const answer = await fetch(`${url}${path}?${query}`, {
      headers: { authorization: `Bearer ${admin?.token}` },
    });
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
    const page = (await answer.json()) as { data: object[]; next: string | null };
    all.push(...page.data);
    after = page.next;
  }
  return all;
}

function requestsIn(text: string): LogLine[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{') && line.includes('"msg":"request"'))
    .map((line) => JSON.parse(line) as LogLine);
}

it('metrics, traces, logs, ledger and journal agree on every call', { timeout: 120_000 }, async () => {
  const told = await witnessesOf(null);
  expect(disagreements(told)).toEqual([]);
  // Proves that the run was mixed.
  const { records, log, journal } = told;
  const outcomes = new Set(records.map(({ outcome }) => outcome));
  expect(outcomes.size).toBeGreaterThan(1);
  expect(records.some(({ model_requested, model_served }) => model_requested !== model_served)).toBe(true);
  expect(records.some(({ attempts }) => attempts > 1)).toBe(true);
  expect(new Set(log.map(({ code }) => code)).size).toBeGreaterThan(4);
  expect(journal.filter(({ request }) => request.method === 'GET').length).toBeGreaterThan(1);
  expect(records).toHaveLength(28);
});

it.each([
  [
    'a call that no metric counts',
    {
      file: 'gateway/metrics/metrics.ts',
      find: '      attempts.inc({ model }, used.attempts);',
      replace: '      attempts.inc({ model }, 1);',
    },
    'attempts of records and metrics',
  ],
  [
    'an attempt without a span',
    {
      file: 'gateway/tracing/create-tracing.ts',
      find: "      post: (request) => attempt('POST', request, client.post),",
      replace: '      post: client.post,',
    },
    'calls of spans and journal',
  ],
  [
    'a job that is started within the trace of whoever comes first',
    {
      file: 'gateway/services/tasks/work.ts',
      find: 'tracing === null ? step()',
      replace: 'tracing !== null ? step()',
    },
    'attempts of records and spans',
  ],
  [
    'a log with ids of its own',
    {
      file: 'gateway/endpoints/serve.ts',
      find: '    request_id: requestId,',
      replace: "    request_id: 'log-' + requestId,",
    },
    'request ids of log and spans',
  ],
])('%s is seen', { timeout: 120_000 }, async (_, patch, told) => {
  expect(disagreements(await witnessesOf(patch)).join('\n')).toContain(told);
});
