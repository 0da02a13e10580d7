import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { decodeText } from './billing/stored-text.ts';
import { openStore } from './store/store.ts';
import { copyCluster } from './store/test-cluster.ts';
import { silentLog } from './store/test-stores.ts';
import { completion, type FakeUpstream, startFakeUpstream } from './testing/fake-upstream.ts';
import { runGateway } from './testing/gateway-process.ts';
import { KEY, testConfig } from './testing/test-gateway.ts';
import { read } from './testing/wire.ts';

/** How many answers arrive before the process is killed: another moment of its life each time. */
const rounds = [3, 40, 111];
const clients = 3;

let upstream: FakeUpstream;
let directory: string;
beforeAll(async () => {
  upstream = await startFakeUpstream();
  upstream.fallback = completion('Hello');
  directory = mkdtempSync(join(tmpdir(), 'gateway-crash-'));
});
afterAll(async () => {
  await upstream.close();
  rmSync(directory, { recursive: true });
});

it('keeps the usage of every answer that it gave, however often it is killed', {
  timeout: 120_000,
}, async () => {
  const dataDir = join(directory, 'data');
  await copyCluster(dataDir);
  const { chat_models, accounts, channels } = testConfig(upstream.url);
  const config = join(directory, 'gateway.yaml');
  writeFileSync(
    config,
    stringify({
      listen: {},
      store: { data_dir: dataDir },
      key_pepper: 'a pepper for tests',
      chat_models,
      accounts,
      channels,
    }),
  );
  const answered: string[] = [];
  for (const enough of rounds) {
    const gateway = await runGateway(['--config', config]);
    const before = answered.length;
    const ask = async (): Promise<void> => {
      const url = `${gateway.url}/api/v1/chat/completions`;
      const body = { model: 'delta-3', messages: [{ role: 'user', content: 'hi' }] };
      for (;;) {
        const answer = await read(url, { method: 'POST', key: KEY, body }).catch(() => null);
        if (answer?.status !== 200) return;
        answered.push(String(answer.headers['x-request-id']));
        if (answered.length - before === enough) gateway.stop('SIGKILL');
      }
    };
    await Promise.all(Array.from({ length: clients }, ask));
    await gateway.exit;
    expect(answered.length - before).toBeGreaterThanOrEqual(enough);
  }
  const store = await openStore({ dataDir, log: silentLog });
  const rows = await store.db.selectFrom('usage_records').select(['request_id', 'outcome']).execute();
  await store.close();
  const kept = new Set(rows.map((row) => decodeText(row.request_id)));
  expect(answered.filter((id) => !kept.has(id))).toEqual([]);
  expect(new Set(answered).size).toBe(answered.length);
});
