import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { decodeText } from './billing/stored-text.ts';
import { openStore, type Store } from './store/store.ts';
import { completion, type FakeUpstream, frames, startFakeUpstream } from './testing/fake-upstream.ts';
import { type Running, runGateway } from './testing/gateway-process.ts';
import { type StorePlace, silentLog, storeKinds } from './testing/store/test-stores.ts';
import { testPrices } from './testing/stored-gateway.ts';
import { testConfig, testKey } from './testing/test-gateway.ts';
import { read } from './testing/wire.ts';

/** The moments of a call at which the process is killed, and at the how manieth call of its life. */
const rounds = [
  ['answered', 3],
  ['reached the upstream', 20],
  ['began to stream', 9],
  ['left the upstream', 31],
] as const;
type Moment = (typeof rounds)[number][0];
const clients = 3;
const grant = 50_000_000_000_000n;
/** 8 plain tokens, 3 cached at a quarter and 7 of completion, at $2.50 and $10 a million. */
const charge = 91_875_000n;

let upstream: FakeUpstream;
let directory: string;
const started: Running[] = [];
beforeAll(async () => {
  upstream = await startFakeUpstream();
  directory = mkdtempSync(join(tmpdir(), 'gateway-crash-'));
});
afterAll(async () => {
  for (const gateway of started) gateway.stop('SIGKILL');
  await upstream.close();
  rmSync(directory, { recursive: true });
});

describe.each(storeKinds)('a gateway on a store of kind $name', ({ name, fresh }) => {
  it('loses and doubles no charge, and keeps no hold, however it is killed', {
    timeout: 120_000,
  }, async () => {
    const { place, remove } = await fresh();
    const config = writeConfig(name, place);
    const answered: string[] = [];
    let said = '';
    for (const [moment, enough] of rounds) {
      const gateway = await start(config);
      answered.push(...(await liveUntil(gateway, moment, enough)));
      said += (await gateway.exit).errors;
    }
    const last = await start(config);
    last.stop('SIGTERM');
    const { code, errors } = await last.exit;
    expect(code).toBe(0);
    // Or nothing was at stake when it was killed.
    expect(said + errors).toContain('gave back holds that were left over');
    const store = await openStore({ ...place, log: silentLog });
    await expectBooksInOrder(store, answered);
    await store.close();
    await remove();
  });
});

async function start(config: string): Promise<Running> {
  const gateway = await runGateway(['--config', config]);
  started.push(gateway);
  return gateway;
}

/** Lets clients ask without end until the process is killed at the moment; the ids of the good answers that came. */
async function liveUntil(gateway: Running, moment: Moment, enough: number): Promise<string[]> {
  const answered: string[] = [];
  let left = enough;
  const reached = (now: Moment): void => {
    if (now !== moment) return;
    left -= 1;
    if (left === 0) gateway.stop('SIGKILL');
  };
  upstream.fallback = async (response, seen) => {
    reached('reached the upstream');
    await wait(upstream.seen.length % 4);
    if (seen.body.stream === true) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const [first, ...rest] = frames(['Hel', 'lo']);
      response.write(first);
      await wait(2);
      reached('began to stream');
      for (const frame of rest) response.write(frame);
      response.end();
    } else await completion('Hello')(response, seen);
    reached('left the upstream');
  };
  const ask = async (stream: boolean): Promise<void> => {
    const body = { model: 'delta-3', messages: [{ role: 'user', content: 'hi' }], stream };
    for (;;) {
      const answer = await read(`${gateway.url}/api/v1/chat/completions`, {
        method: 'POST',
        key: testKey,
        body,
      }).catch(() => null);
      if (answer?.status !== 200 || (stream && !answer.text.endsWith('data: [DONE]\n\n'))) return;
      answered.push(String(answer.headers['x-request-id']));
      reached('answered');
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, client) => ask(client % 2 === 1)));
  const { code, errors } = await gateway.exit;
  expect(code, errors).toBeNull();
  expect(left).toBeLessThanOrEqual(0);
  return answered;
}

function writeConfig(name: string, place: StorePlace): string {
  const { chat_models, accounts, channels } = testConfig(upstream.url);
  const path = join(directory, `${name}.yaml`);
  const [first, ...others] = accounts;
  const config = {
    listen: {},
    store: 'url' in place ? { url: place.url } : { data_dir: place.dataDir },
    key_pepper: 'a pepper for tests',
    media: { dir: join(directory, 'media') },
    chat_models,
    prices: testPrices,
    // On a server the slots of a killed process lapse after a while: there are enough for all rounds.
    accounts: [
      { ...first, users: [{ id: 'usr', cap: 50 }], prepaid: true, grants: [{ id: 'start', amount: '50' }] },
      ...others,
    ],
    channels,
  };
  writeFileSync(path, stringify(config));
  return path;
}

async function expectBooksInOrder({ db }: Store, answered: readonly string[]): Promise<void> {
  const records = await db
    .selectFrom('usage_records')
    .select(['request_id', 'outcome', 'charge_pico'])
    .execute();
  const kept = new Set(records.map((row) => decodeText(row.request_id)));
  expect(answered.filter((id) => !kept.has(id))).toEqual([]);
  expect(new Set(answered).size).toBe(answered.length);
  expect(records.filter((row) => row.outcome !== 'success' || BigInt(row.charge_pico) !== charge)).toEqual(
    [],
  );
  const { rows } = await sql`
    select
      (select sum(amount_pico) from ledger_entries) as entries,
      (select count(*) from open_holds) as open_holds,
      (select count(*) from (
        select from ledger_entries where book = 'revenue' group by request_id having sum(amount_pico) <> ${charge}
      ) x) as wrong_charges,
      (select count(distinct request_id) from ledger_entries where book = 'revenue') as charged,
      (select count(distinct request_id) - count(distinct request_id) filter (where kind <> 'hold') from ledger_entries)
        as without_end,
      posted_pico, held_pico
    from account_balances where account_id = 'acc'`.execute(db);
  expect(rows).toEqual([
    {
      entries: '0',
      open_holds: 0n,
      wrong_charges: 0n,
      charged: BigInt(records.length),
      without_end: 0n,
      posted_pico: `${grant - charge * BigInt(records.length)}`,
      held_pico: '0',
    },
  ]);
}
