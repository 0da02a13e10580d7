import { afterEach, describe, expect, it } from 'vitest';
import { type ProfileInput, profileSchema } from '../profile/profile.ts';
import { Untestable } from '../rules/violation.ts';
import { type FakeHook, startFakeHook } from '../testing/fake-hook.ts';
import { answeredWith } from '../testing/sample-exchange.ts';
import type { Exchange } from '../wire/exchange.ts';
import { ForeignTraffic } from './foreign-traffic.ts';
import { Meter } from './meter.ts';

const exchange = (id: string) => answeredWith(['x-request-id', id]);
const withStatus = (one: Exchange, status: number): Exchange => ({
  ...one,
  response: one.response && { ...one.response, status },
});
const entry = { id: 'end:a', kind: 'settle', book: 'revenue', amount: '0.00125', request_id: 'a' };

let hook: FakeHook | null = null;
afterEach(async () => {
  await hook?.close();
  hook = null;
});

async function meterWith(
  name: 'ledger' | 'balance' | null,
  answer: (path: string, asked: number) => unknown = () => ({}),
  more: object = {},
  recent: readonly Exchange[] = [],
  traffic: ForeignTraffic | null = null,
): Promise<Meter> {
  let asked = 0;
  hook = await startFakeHook(({ path }) => {
    asked += 1;
    return { body: answer(path, asked) };
  });
  const entries = { ledger: { url: hook.url, token: 'hook-token' }, balance: { url: hook.url, ...more } };
  const hooks: ProfileInput['hooks'] = name === null ? {} : { [name]: entries[name] };
  const profile = profileSchema.parse({ base_url: 'http://127.0.0.1:1', keys: { K1: 'sk-app-1' }, hooks });
  return new Meter({
    profile,
    mainKey: 'sk-app-1',
    signal: new AbortController().signal,
    recent: () => recent,
    traffic,
  });
}

describe('by the ledger', () => {
  const charges: Readonly<Record<string, string>> = { a: '0.00125', 'b/c': '0.000000000001' };
  const ledger = (path: string): unknown => {
    const id = new URLSearchParams(path.split('?')[1]).get('request_id') ?? '';
    return { entries: [entry], charge: charges[id] ?? '0' };
  };

  it('adds up what each call was charged', async () => {
    const meter = await meterWith('ledger', ledger);
    expect(await meter.charged(async () => exchange('a'))).toBe(1_250_000_000n);
    expect(await meter.charged(async () => [exchange('a'), exchange('b/c')])).toBe(1_250_000_001n);
    expect(hook?.asked.at(-1)?.authorization).toBe('Bearer hook-token');
    expect(meter.byRequest).toBe(true);
  });

  it('reads the ledger entries of a request', async () => {
    const meter = await meterWith('ledger', ledger);
    expect(await meter.entries(exchange('a'))).toEqual([{ ...entry, amount: 1_250_000_000n }]);
  });

  it('reads a final charge once the request is settled, or when the time is up', async () => {
    const meter = await meterWith('ledger', (_path, asked) =>
      asked < 3 ? { entries: [], charge: '0' } : { entries: [entry], charge: '0.5' },
    );
    expect(await meter.finalChargeOf(exchange('a'), 5_000)).toBe(500_000_000_000n);
    const never = await meterWith('ledger', () => ({ entries: [], charge: '0' }));
    expect(await never.finalChargeOf(exchange('a'), 60)).toBe(0n);
  });

  it('waits for a failed call until its hold is released', async () => {
    const hold = { ...entry, kind: 'hold' };
    const meter = await meterWith('ledger', (_path, asked) => ({
      entries: asked < 4 ? [hold] : [hold, { ...entry, kind: 'void' }],
      charge: asked < 4 ? '0.5' : '0',
    }));
    expect(await meter.chargeOf(withStatus(exchange('a'), 502))).toBe(0n);
    const refused = await meterWith('ledger', () => ({ entries: [], charge: '0' }));
    const began = performance.now();
    expect(await refused.chargeOf(withStatus(exchange('a'), 400))).toBe(0n);
    expect(performance.now() - began).toBeLessThan(1_000);
    expect(hook?.asked).toHaveLength(1);
  });

  it('settles an account once the charges of all served calls are posted', async () => {
    const meter = await meterWith(
      'ledger',
      (_path, asked) => ({ entries: asked < 5 ? [] : [entry], charge: '0' }),
      {},
      [exchange('a'), answeredWith(), exchange('b/c')],
    );
    await meter.settle();
    const paths = hook?.asked.map(({ path }) => path.split('=')[1]) ?? [];
    expect(paths.slice(0, 2).sort()).toEqual(['a', 'b%2Fc']);
    expect(paths.length).toBeGreaterThanOrEqual(5);
  });

  it.for([
    ['no charge', { entries: [] }],
    ['a charge that is a number', { entries: [], charge: 0.5 }],
    ['an entry in an unknown book', { entries: [{ ...entry, book: 'tips' }], charge: '0' }],
  ] as const)('reports %s as a fault of the hook', async ([, body]) => {
    const meter = await meterWith('ledger', () => body);
    await expect(meter.chargeOf(exchange('a'))).rejects.toThrow('the ledger hook answered HTTP 200');
  });

  it('cannot look up an answer without an id', async () => {
    const meter = await meterWith('ledger', ledger);
    await expect(meter.chargeOf(answeredWith())).rejects.toThrow('http.request_id');
  });
});

describe('by the balance', () => {
  it('measures the cost of calls as the drop of the balance', async () => {
    const meter = await meterWith('balance', (_path, asked) => ({ balance: asked === 1 ? '10' : '9.99' }));
    expect(await meter.charged(async () => exchange('a'), { key: 'sk-app-2' })).toBe(10_000_000_000n);
    expect(hook?.asked.map(({ authorization }) => authorization)).toEqual([
      'Bearer sk-app-2',
      'Bearer sk-app-2',
    ]);
    expect(meter.byRequest).toBe(false);
  });

  it('reads the balance after its declared lag', async () => {
    const began = performance.now();
    const meter = await meterWith(
      'balance',
      () => ({ balance: performance.now() - began > 80 ? '1' : '2' }),
      { lag_ms: 100 },
    );
    expect(await meter.charged(async () => exchange('a'))).toBe(1_000_000_000_000n);
  });

  it('measures one piece of work at a time', async () => {
    let [credit, inside] = [100, 0];
    const meter = await meterWith('balance', () => ({ balance: String(credit) }));
    const work = (cost: number) => async () => {
      inside += 1;
      expect(inside).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 5));
      credit -= cost;
      inside -= 1;
      return exchange('a');
    };
    const costs = await Promise.all([meter.charged(work(1)), meter.charged(work(2)), meter.charged(work(3))]);
    expect(costs.map((cost) => cost / 10n ** 12n)).toEqual([1n, 2n, 3n]);
  });

  it.for([
    ['{"balance":0.1}', 100_000_000_000n],
    ['{"balance":9007.199254740993}', 9_007_199_254_740_993n],
    ['{"balance":1e-7}', 100_000n],
    ['{"balance":-5}', -5_000_000_000_000n],
  ] as const)('keeps every digit of %s, a JSON number', async ([body, pico]) => {
    const meter = await meterWith('balance', () => body);
    expect(await meter.balance()).toBe(pico);
  });

  it('reads the balance from the declared path of members', async () => {
    const meter = await meterWith('balance', () => ({ data: { credit: '3.5' } }), { field: 'data.credit' });
    expect(await meter.account()).toEqual({
      balance: 3_500_000_000_000n,
      tokensUsed: null,
      monthlyTokens: null,
    });
  });

  it('reports an answer without the declared member as a fault of the deployment', async () => {
    const meter = await meterWith('balance', () => ({ credit: '1' }));
    await expect(meter.balance()).rejects.toThrow(
      'the balance hook answered undefined, which is not an amount',
    );
  });
});

it('reports costs as untestable when there is neither a ledger nor a balance', async () => {
  const meter = await meterWith(null);
  await expect(meter.charged(async () => exchange('a'))).rejects.toEqual(new Untestable('charges'));
  await expect(meter.chargeOf(exchange('a'))).rejects.toEqual(new Untestable('hooks.ledger'));
  await expect(meter.balance()).rejects.toEqual(new Untestable('hooks.balance'));
});

it('waits until foreign traffic leaves the balance unchanged, and notes that traffic', async () => {
  const traffic = new ForeignTraffic();
  const balances = ['9', '8', '8', '7.5'];
  const shown = (_path: string, asked: number): unknown => ({ balance: balances[asked - 1] });
  const meter = await meterWith('balance', shown, { field: 'balance' }, [], traffic);
  expect(await meter.charged(async () => exchange('a'))).toBe(500_000_000_000n);
  expect(traffic.sentence()).toContain('once its figures moved without a call of the run');
});
