import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { openStore } from './store/store.ts';
import { adminClient } from './testing/admin-client.ts';
import { completion, type FakeUpstream, startFakeUpstream } from './testing/fake-upstream.ts';
import { type Running, runGateway } from './testing/gateway-process.ts';
import { startPooler } from './testing/store/pooler.ts';
import { type StorePlace, server, silentLog } from './testing/store/test-stores.ts';
import { testPrices } from './testing/stored-gateway.ts';
import { adminToken, testConfig, testKey } from './testing/test-gateway.ts';
import { read } from './testing/wire.ts';

const clients = 20;
/** 8 plain tokens, 3 cached tokens at a quarter of the price and 7 completion tokens, at $2.50 and $10 per million. */
const charge = 91_875_000n;
const enoughFor = 400n;

let upstream: FakeUpstream;
let directory: string;
const gateways: Running[] = [];
beforeAll(async () => {
  upstream = await startFakeUpstream();
  upstream.fallback = completion('Hello');
  directory = mkdtempSync(join(tmpdir(), 'gateway-two-'));
});
afterAll(async () => {
  for (const gateway of gateways) gateway.stop('SIGKILL');
  await upstream.close();
  rmSync(directory, { recursive: true });
});

function writeConfig(place: StorePlace & { session_url?: string }, name = 'gateway.yaml'): string {
  const { chat_models, accounts, channels } = testConfig(upstream.url);
  const path = join(directory, name);
  const [first, ...others] = accounts;
  const grant = `0.0${enoughFor * charge}`;
  const account = {
    ...first,
    users: [{ id: 'usr', cap: 50 }],
    prepaid: true,
    grants: [{ id: 'all', amount: grant }],
  };
  writeFileSync(
    path,
    stringify({
      listen: {},
      store: place,
      key_pepper: 'a pepper for tests',
      media: { dir: join(directory, 'media') },
      chat_models,
      prices: testPrices,
      accounts: [account, ...others],
      channels,
      admin: { token: adminToken },
    }),
  );
  return path;
}

// An embedded store belongs to one process.
describe.skipIf(server.isMissing)('two gateways on one server', () => {
  it('overspend an account by no more than the calls in flight, also through a pooler', {
    timeout: 120_000,
  }, async () => {
    const { place, remove } = await server.fresh();
    const direct = 'url' in place ? place.url : '';
    const pooler = await startPooler(direct, 'transaction');
    const pooled = writeConfig({ url: pooler.url, session_url: direct }, 'pooled.yaml');
    const config = writeConfig(place);
    gateways.push(await runGateway(['--config', config]), await runGateway(['--config', pooled]));
    const body = { model: 'delta-3', messages: [{ role: 'user', content: 'hi' }] };
    let served = 0n;
    const spend = async (client: number): Promise<unknown> => {
      for (let turn = client; ; turn += 1) {
        const url = `${gateways[turn % 2]?.url}/api/v1/chat/completions`;
        const answer = await read(url, { method: 'POST', key: testKey, body });
        if (answer.status !== 200) return [answer.status, answer.json.error.code];
        served += 1n;
      }
    };
    const ends = await Promise.all(Array.from({ length: clients }, (_, client) => spend(client)));
    expect(ends).toEqual(ends.map(() => [429, 'quota_exceeded']));
    expect(served >= enoughFor && served < enoughFor + BigInt(clients)).toBe(true);
    for (const gateway of gateways) {
      gateway.stop('SIGTERM');
      expect((await gateway.exit).code).toBe(0);
    }
    const store = await openStore({ ...place, log: silentLog });
    const { rows } = await sql`
      select posted_pico, held_pico, (select sum(amount_pico) from ledger_entries) as entries,
        (select count(*) from usage_records) as records, (select count(*) from open_holds) as open_holds
      from account_balances where account_id = 'acc'`.execute(store.db);
    await store.close();
    await pooler.remove();
    await remove();
    const posted = `${(enoughFor - served) * charge}`;
    expect(rows).toEqual([
      { posted_pico: posted, held_pico: '0', entries: '0', records: served, open_holds: 0n },
    ]);
  });

  it('reject a key from the next request after the other disabled it, also after a pause', {
    timeout: 120_000,
  }, async () => {
    const { place, remove } = await server.fresh();
    const config = writeConfig(place);
    const [one, other] = [await runGateway(['--config', config]), await runGateway(['--config', config])];
    gateways.push(one, other);
    const admin = adminClient(one.url);
    const body = { model: 'delta-3', messages: [{ role: 'user', content: 'hi' }] };
    const ask = async (key = testKey): Promise<string> => {
      const { json } = await read(`${other.url}/api/v1/chat/completions`, { method: 'POST', key, body });
      return json.error?.code ?? 'ok';
    };
    for (let turn = 0; turn < 10; turn += 1) {
      await admin('PATCH', '/keys/key-1', { disabled: true });
      expect(await ask()).toBe('sk_disabled');
      await admin('PATCH', '/keys/key-1', { disabled: false });
      expect(await ask()).toBe('ok');
      const made = await admin('POST', '/accounts/acc/keys', { user_id: 'usr', app_id: 'app' });
      expect(await ask(made.json.secret)).toBe('ok');
      await admin('DELETE', `/keys/${made.json.id}`);
      expect(await ask(made.json.secret)).toBe('invalid_api_key');
    }
    // A paused process has missed the notice when it continues.
    other.stop('SIGSTOP');
    await admin('PATCH', '/keys/key-1', { disabled: true });
    const asked = ask();
    other.stop('SIGCONT');
    expect(await asked).toBe('sk_disabled');
    for (const gateway of [one, other]) {
      gateway.stop('SIGTERM');
      expect((await gateway.exit).code).toBe(0);
    }
    const store = await openStore({ ...place, log: silentLog });
    const left = await store.db.selectFrom('directory_readers').selectAll().execute();
    await store.close();
    await remove();
    expect(left).toEqual([]);
  });
});
