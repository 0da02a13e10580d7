import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { openStore } from '../../store/store.ts';
import { adminClient } from '../admin-client.ts';
import { configOf } from '../failover/run-failover.ts';
import { completion, startFakeUpstream } from '../fake-upstream.ts';
import { runGateway } from '../gateway-process.ts';
import { silentLog } from '../store/test-stores.ts';
import { adminToken } from '../test-gateway.ts';
import { read } from '../wire.ts';
import { common, fillRecords, rare } from './fill-records.ts';
import { percentile } from './latencies.ts';

/** Durations on one store, in ms. */
export interface StoreTimes {
  readonly startMs: number;
  /** A plain request: median and maximum of 100. */
  readonly requestMs: number;
  readonly requestMostMs: number;
  /** For each query of administrators, the slower half of its runs. */
  readonly questions: readonly { readonly path: string; readonly ms: number; readonly found: number }[];
}

const monthAgo = encodeURIComponent(new Date(Date.now() - 30 * 86_400_000).toISOString());
const questions = [
  '/usage',
  '/usage?limit=100',
  `/usage?account_id=${common}`,
  `/usage?account_id=${rare.account}`,
  '/usage?account_id=nobody',
  '/usage?model=delta-3',
  `/usage?model=${rare.model}`,
  `/usage?end_user=${rare.user}`,
  `/usage?account_id=${common}&end_user=${rare.user}`,
  '/usage?metadata.team=team-2',
  `/usage?metadata.job=${rare.job}`,
  `/usage?account_id=${common}&metadata.team=team-2`,
  `/usage?account_id=${common}&model=${rare.model}`,
  `/usage?account_id=${common}&to=${monthAgo}`,
  '/usage?request_id=req_old77',
  `/accounts/${common}/ledger`,
  `/accounts/${common}/balance`,
  '/audit',
  '/tasks',
  '/webhooks',
];
const key = 'sk-app-many-records';
const calls = 100;
const turns = 5;

/** Fills the store of a server with records, and measures a gateway on it. */
export async function measureStore(url: string, records: number): Promise<StoreTimes> {
  const directory = mkdtempSync(join(tmpdir(), 'gateway-records-'));
  const upstream = await startFakeUpstream();
  upstream.fallback = completion('Hello');
  const store = await openStore({ url, log: silentLog });
  await fillRecords(store, records).finally(() => store.close());
  const path = join(directory, 'gateway.yaml');
  writeFileSync(
    path,
    stringify({ ...configOf(url, upstream, directory, [key]), admin: { token: adminToken } }),
  );
  const begun = performance.now();
  const gateway = await runGateway(['--config', path]);
  try {
    const startMs = performance.now() - begun;
    const body = { model: 'delta-3', messages: [{ role: 'user', content: 'hi' }] };
    const times: number[] = [];
    for (let turn = 0; turn < calls; turn += 1)
      times.push(await timed(() => expectGood(`${gateway.url}/api/v1/chat/completions`, body)));
    const admin = adminClient(gateway.url);
    const answers: StoreTimes['questions'][number][] = [];
    for (const question of questions) answers.push(await ask(admin, question));
    return {
      startMs,
      requestMs: percentile(times, 0.5),
      requestMostMs: Math.max(...times),
      questions: answers,
    };
  } finally {
    gateway.stop('SIGTERM');
    await gateway.exit;
    await upstream.close();
    rmSync(directory, { recursive: true });
  }
}

async function ask(
  admin: ReturnType<typeof adminClient>,
  path: string,
): Promise<StoreTimes['questions'][number]> {
  const times: number[] = [];
  let found = 0;
  for (let turn = 0; turn < turns; turn += 1)
    times.push(
      await timed(async () => {
        const { status, json } = await admin('GET', path);
        if (status !== 200) throw new Error(`${path} was answered with ${status}`);
        found = Array.isArray(json.data) ? json.data.length : 1;
      }),
    );
  return { path, ms: percentile(times, 0.5), found };
}

async function expectGood(url: string, body: unknown): Promise<void> {
  const { status, text } = await read(url, { method: 'POST', key, body });
  if (status !== 200) throw new Error(`a call was answered with ${status}: ${text}`);
}

async function timed(act: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await act();
  return performance.now() - begun;
}
