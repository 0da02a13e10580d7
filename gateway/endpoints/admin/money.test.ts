import { describe, expect, it } from 'vitest';
import { adminClient } from '../../testing/admin-client.ts';
import type { FakeUpstream } from '../../testing/fake-upstream.ts';
import { type StoredGateway, startStoredGateway, testPrices } from '../../testing/stored-gateway.ts';
import { testConfig, testKey } from '../../testing/test-gateway.ts';
import { twoEndsOfFile } from '../../testing/two-ends.ts';
import type { Answer } from '../../testing/wire.ts';

let upstream: FakeUpstream;
let gateway: StoredGateway;
let admin: ReturnType<typeof adminClient>;
twoEndsOfFile(startStoredGateway, { prices: testPrices }, (ends) => {
  ({ upstream, gateway } = ends);
  admin = adminClient(gateway.url);
});

const refusal = (param: string) => ({
  status: 400,
  json: { error: { code: 'invalid_param', type: 'invalid_request_error', param } },
});
const missing = { status: 404, json: { error: { code: 'not_found' } } };
/** Sends a request and returns its id once it is answered. */
const request = async (): Promise<string> => {
  const body = { model: 'delta-3', messages: [{ role: 'user', content: 'hi' }] };
  const { headers } = await gateway.chat(body, testKey);
  return String(headers['x-request-id']);
};
const charge = async (): Promise<string> => {
  const { json } = await admin('GET', `/usage?request_id=${await request()}`);
  return json.data[0].charge;
};
const posted = async (account = 'acc'): Promise<string> =>
  (await admin('GET', `/accounts/${account}/balance`)).json.posted;
/** The price list and the number of ledger entries. */
const state = async (): Promise<string> => {
  const prices = await admin('GET', '/prices');
  const entries = await gateway.store.db.selectFrom('ledger_entries').select('id').execute();
  return `${prices.text} ${entries.length}`;
};
const refuses = async (asked: () => Promise<Answer>, expected: object): Promise<void> => {
  const before = await state();
  expect(await asked()).toMatchObject(expected);
  expect(await state()).toBe(before);
};

describe('prices', () => {
  it('are listed with their prompt-cache percentages', async () => {
    const { json } = await admin('GET', '/prices');
    const of = (model: string) => json.data.find((row: { model: string }) => row.model === model);
    const usual = { input: '2.5', output: '10' };
    expect(of('delta-3')).toEqual({
      model: 'delta-3',
      ...usual,
      cached_percent: 25,
      write_5m_percent: 100,
      write_1h_percent: 100,
    });
    expect(of('beta-mid-4-5')).toEqual({
      model: 'beta-mid-4-5',
      ...usual,
      cached_percent: 10,
      write_5m_percent: 125,
      write_1h_percent: 200,
    });
  });

  it('apply from the next answer on', async () => {
    const before = await charge();
    const { json } = await admin('PUT', '/prices/delta-3', {
      input: '5',
      output: '20',
      write_1h_percent: 150,
    });
    expect(json).toEqual({
      model: 'delta-3',
      input: '5',
      output: '20',
      cached_percent: 25,
      write_5m_percent: 100,
      write_1h_percent: 150,
    });
    expect(Number(await charge())).toBeCloseTo(2 * Number(before), 12);
    await admin('PUT', '/prices/delta-3', { input: '0.000001', output: '0' });
    expect(await charge()).toMatch(/^0\.0000000000\d+$/);
    expect((await admin('DELETE', '/prices/delta-3')).json).toEqual({ id: 'delta-3', deleted: true });
    expect(await charge()).toBe('0');
    expect(await admin('DELETE', '/prices/delta-3')).toMatchObject(missing);
    await admin('PUT', '/prices/delta-3', { input: '2.5', output: '10' });
    expect(await charge()).toBe(before);
  });

  it.for([
    [{ input: '0.1234567', output: '1' }, 'input'],
    [{ input: '-1', output: '1' }, 'input'],
    [{ input: 2.5, output: '1' }, 'input'],
    [{ input: '1e3', output: '1' }, 'input'],
    [{ input: '', output: '1' }, 'input'],
    [{ input: '9999999999', output: '1' }, 'input'],
    [{ output: '1' }, 'input'],
    [{ input: '1', output: '0.0000001' }, 'output'],
    [{ input: '1', output: '1', cached_percent: 12.5 }, 'cached_percent'],
    [{ input: '1', output: '1', cached_percent: -1 }, 'cached_percent'],
    [{ input: '1', output: '1', write_5m_percent: 1001 }, 'write_5m_percent'],
    [{ input: '1', output: '1', write_1h_percent: '200' }, 'write_1h_percent'],
    [{ input: '1', output: '1', currency: 'EUR' }, 'currency'],
  ] as const)('cannot be %j', async ([body, param]) => {
    await refuses(() => admin('PUT', '/prices/delta-3', body), refusal(param));
  });

  it.for([
    ['vidB2', { per_second: '0.05' }],
    ['vidB2', { per_task: '0.000001' }],
    ['journey-v7', { per_image: '1000000' }],
    ['alpha-image-2', { per_image: { low: '0.01', medium: '0.02', high: '0.03', auto: '0' } }],
    ['alpha-image-2', { per_image: '0.5' }],
  ] as const)('can be per unit: for %s, %j', async ([model, price]) => {
    const view = { model, ...price };
    expect((await admin('PUT', `/prices/${model}`, price)).json).toEqual(view);
    const { json } = await admin('GET', '/prices');
    expect(json.data.filter((row: { model: string }) => row.model === model)).toEqual([view]);
  });

  it('default to those that the specification states', async () => {
    const { json } = await admin('GET', '/prices');
    expect(json.data).toContainEqual({ model: 'kontext-pro', per_image: '0.04' });
  });

  it.for([
    ['vidB2', { per_image: '1' }, 'per_image'],
    ['vidB2', { input: '1', output: '1' }, 'input'],
    ['delta-3', { per_task: '1' }, 'per_task'],
    ['kontext-max', { per_image: { low: '1', medium: '1', high: '1', auto: '1' } }, 'per_image'],
    ['kontext-max', { per_image: '0.0000001' }, 'per_image'],
    ['kontext-max', { per_image: 1 }, 'per_image'],
    ['alpha-image-2', { per_image: { low: '1', medium: '1', high: '1', auto: '-1' } }, 'per_image.auto'],
    ['kontext-max', { per_image: '1', per_task: '1' }, 'per_image'],
    ['kontext-max', {}, 'input'],
  ] as const)('of %s cannot be %j', async ([model, body, param]) => {
    await refuses(() => admin('PUT', `/prices/${model}`, body), refusal(param));
  });

  it('exist only for known models', async () => {
    const price = { input: '1', output: '1' };
    await refuses(() => admin('PUT', '/prices/no-such-model', price), missing);
    await refuses(() => admin('DELETE', '/prices/no-such-model'), missing);
  });

  it('stay deleted after a restart with the same configuration', async () => {
    await admin('DELETE', '/prices/gamma-3-pro');
    await admin('PUT', '/prices/gamma-3-flash', { input: '7', output: '7' });
    await gateway.reseed(testConfig(upstream.url, { prices: testPrices }));
    const { json } = await admin('GET', '/prices');
    const inputs = new Map(json.data.map((row: { model: string; input: string }) => [row.model, row.input]));
    expect([inputs.get('gamma-3-pro'), inputs.get('gamma-3-flash')]).toEqual([undefined, '7']);
  });
});

describe('grants', () => {
  it('add to the balance, once per id', async () => {
    const before = Number(await posted('other'));
    const body = { amount: '12.000000000001', id: 'g-1', note: 'welcome' };
    expect((await admin('POST', '/accounts/other/grants', body)).json).toEqual({
      id: 'g-1',
      amount: '12.000000000001',
      posted: true,
    });
    expect((await admin('POST', '/accounts/other/grants', body)).json.posted).toBe(false);
    expect(await posted('other')).toBe('12.000000000001');
    expect(before).toBe(0);
    await Promise.all(
      Array.from({ length: 5 }, () => admin('POST', '/accounts/other/grants', { amount: '1' })),
    );
    expect(await posted('other')).toBe('17.000000000001');
    await refuses(() => admin('POST', '/accounts/other/grants', { amount: '13', id: 'g-1' }), refusal('id'));
  });

  it.for([
    [{}, 'amount'],
    [{ amount: '0' }, 'amount'],
    [{ amount: '-5' }, 'amount'],
    [{ amount: '0.0000000000001' }, 'amount'],
    [{ amount: 5 }, 'amount'],
    [{ amount: '5 USD' }, 'amount'],
    [{ amount: '9999999999999999' }, 'amount'],
    [{ amount: '1', id: 'a b' }, 'id'],
    [{ amount: '1', note: 'two\nlines' }, 'note'],
    [{ amount: '1', note: 'nul\u0000' }, 'note'],
    [{ amount: '1', currency: 'EUR' }, 'currency'],
  ] as const)('are not created from %j', async ([body, param]) => {
    await refuses(() => admin('POST', '/accounts/acc/grants', body), refusal(param));
  });

  it('exist only for known accounts', async () => {
    await refuses(() => admin('POST', '/accounts/nobody/grants', { amount: '1' }), missing);
  });
});

describe('corrections', () => {
  it('add a new entry and leave the old ones unchanged', async () => {
    const request_id = await request();
    const old = (await admin('GET', `/accounts/acc/ledger?request_id=${request_id}`)).json.data;
    const before = await posted();
    const body = { amount: '-0.5', id: 'c-1', note: 'charged too little', request_id };
    expect((await admin('POST', '/accounts/acc/corrections', body)).json.posted).toBe(true);
    expect((await admin('POST', '/accounts/acc/corrections', body)).json.posted).toBe(false);
    await admin('POST', '/accounts/acc/corrections', { amount: '0.5', note: 'taken back' });
    expect(await posted()).toBe(before);
    const { json } = await admin('GET', `/accounts/acc/ledger?request_id=${request_id}`);
    expect(json.data.slice(2)).toEqual(old);
    expect(json.data).toContainEqual(
      expect.objectContaining({
        kind: 'correction',
        book: 'credits',
        amount: '-0.5',
        note: 'charged too little',
      }),
    );
  });

  it.for([
    [{ amount: '1' }, 'note'],
    [{ amount: '0', note: 'x' }, 'amount'],
    [{ amount: '-0', note: 'x' }, 'amount'],
    [{ amount: '+1', note: 'x' }, 'amount'],
    [{ amount: '1', note: '' }, 'note'],
    [{ amount: '1', note: 'x', request_id: '' }, 'request_id'],
    [{ amount: '1', note: 'x', request_id: 'req_unknown' }, 'request_id'],
    [{ amount: '1', note: 'x', zzz: 1 }, 'zzz'],
  ] as const)('are not created from %j', async ([body, param]) => {
    await refuses(() => admin('POST', '/accounts/acc/corrections', body), refusal(param));
  });

  it('must name a request of the same account', async () => {
    const body = { amount: '1', note: 'x', request_id: await request() };
    await refuses(() => admin('POST', '/accounts/other/corrections', body), refusal('request_id'));
  });
});
