import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { decodeText } from '../billing/stored-text.ts';
import { openStore } from '../store/store.ts';
import {
  completion,
  events,
  type FakeUpstream,
  frames,
  startFakeUpstream,
} from '../testing/fake-upstream.ts';
import { type Running, runGateway } from '../testing/gateway-process.ts';
import { silentLog } from '../testing/store/test-stores.ts';
import { hookToken, testConfig, testKey } from '../testing/test-gateway.ts';
import { type Answer, parseEvents, read } from '../testing/wire.ts';

const startMs = 60_000;
let upstream: FakeUpstream;
let directory: string;
let gateway: Running;
beforeAll(async () => {
  upstream = await startFakeUpstream();
  directory = mkdtempSync(join(tmpdir(), 'gateway-store-hook-'));
  const { chat_models, accounts, channels } = testConfig(upstream.url);
  const config = join(directory, 'gateway.yaml');
  writeFileSync(
    config,
    stringify({
      listen: {},
      store: { data_dir: join(directory, 'data') },
      key_pepper: 'a pepper for tests',
      chat_models,
      accounts,
      channels,
      test: { store: true, token: hookToken },
    }),
  );
  gateway = await runGateway(['--config', config]);
}, startMs);
afterAll(async () => {
  gateway.stop('SIGKILL');
  await upstream.close();
  rmSync(directory, { recursive: true });
});

const stopStore = (stopped: unknown, key = hookToken): Promise<Answer> =>
  read(`${gateway.url}/hooks/store`, { method: 'POST', key, body: { stopped } });
const chat = (stream = false): Promise<Answer> =>
  read(`${gateway.url}/api/v1/chat/completions`, {
    method: 'POST',
    key: testKey,
    body: { model: 'delta-3', messages: [{ role: 'user', content: 'hi' }], stream },
  });

/** Lets the calls that arrive at the upstream from now on wait, until the returned function answers them. */
function holdCalls(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  upstream.fallback = async (response, seen) => {
    await promise;
    await (seen.body.stream === true ? events(frames(['a'])) : completion('Hello'))(response, seen);
  };
  return resolve;
}

it('fails with internal_error while its database is unreachable, and serves the first call afterwards', {
  timeout: startMs,
}, async () => {
  expect((await stopStore(true, testKey)).json.error.code).toBe('invalid_api_key');
  expect((await stopStore('yes')).json.error).toMatchObject({ code: 'invalid_param', param: 'stopped' });
  expect((await chat()).status).toBe(200);
  const kept: unknown[] = [];
  for (let round = 0; round < 3; round += 1) {
    const answerCalls = holdCalls();
    const inFlight = [chat(), chat(true)] as const;
    await upstream.waitFor(upstream.seen.length + 2);
    expect((await stopStore(true)).json).toEqual({ stopped: true });
    const asked = upstream.seen.length;
    const refused = [await chat(), await chat(true)];
    expect(upstream.seen.length).toBe(asked);
    answerCalls();
    const [plain, stream] = await Promise.all(inFlight);
    for (const answer of refused) {
      expect(answer).toMatchObject({
        status: 500,
        json: { error: { code: 'internal_error', type: 'api_error', channel: null, param: null } },
      });
      expect(answer.text).not.toMatch(/ENOENT|socket|postgres|nonexistent|\bsql\b/i);
    }
    // The usage of these calls waits on disk until the database is back.
    expect([plain.status, parseEvents(stream.text).done]).toEqual([200, true]);
    kept.push(plain.headers['x-request-id'], stream.headers['x-request-id']);
    expect((await stopStore(false)).json).toEqual({ stopped: false });
    const view = await read(`${gateway.url}/hooks/store`, { key: hookToken });
    expect(view.json).toEqual({ stopped: false });
    const answer = await chat();
    expect(answer.status).toBe(200);
    kept.push(answer.headers['x-request-id']);
  }
  gateway.stop('SIGTERM');
  expect((await gateway.exit).code).toBe(0);
  const store = await openStore({ dataDir: join(directory, 'data'), log: silentLog });
  const rows = await store.db.selectFrom('usage_records').select('request_id').execute();
  const held = await store.db.selectFrom('open_holds').select('request_id').execute();
  await store.close();
  const ids = rows.map((row) => decodeText(row.request_id));
  expect(kept.filter((id) => !ids.includes(String(id)))).toEqual([]);
  expect(held).toEqual([]);
});
