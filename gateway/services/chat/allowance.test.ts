import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Hold } from '../../billing/ledger.ts';
import { type ManyEnds, startManyEnds } from '../../testing/channels.ts';
import { delta, events, type FakeUpstream, json, usageFrame } from '../../testing/fake-upstream.ts';
import { type TestGateway, testKey } from '../../testing/test-gateway.ts';
import { read } from '../../testing/wire.ts';

const usd = 10n ** 12n;
const deltaPrice = { input: '1', output: '10', cached_percent: 20 };
/** The cost of the fake upstream's `USAGE` on delta-3: 8 plain tokens, 3 cached at a fifth, 7 of output, plus 15 %. */
const charge = ((8n * 100n + 3n * 20n) * 1_000_000n + 7n * 100n * 10_000_000n) * 11_500n;
const pico = charge / (100n * 10_000n);

let ends: ManyEnds;
let gateway: TestGateway;
let own: FakeUpstream;
let holds: Hold[];
const request = { model: 'delta-3', messages: [{ role: 'user', content: 'hi' }], max_tokens: 1000 };

beforeEach(async () => {
  ends = await startManyEnds([{ models: { 'delta-3': 'native-delta-3' } }], {
    prices: { 'delta-3': deltaPrice },
    accounts: [
      {
        id: 'acc',
        users: [{ id: 'usr' }],
        apps: [{ id: 'app', markup_bp: 1500 }],
        keys: [{ id: 'key-1', user: 'usr', app: 'app', secret: testKey }],
      },
    ],
  });
  ({ gateway } = ends);
  const [first] = ends.upstreams;
  if (first === undefined) throw new Error('no upstream');
  own = first;
  holds = [];
  gateway.onHold = async (hold) => {
    holds.push(hold);
    return 'held';
  };
});
afterEach(() => ends.close());

describe('an account without credits', () => {
  it('gets errors about its request first', async () => {
    gateway.onHold = async () => 'no_credits';
    expect((await gateway.chat({ ...request, temperature: 9 })).json.error.code).toBe('invalid_param');
    expect((await gateway.chat({ ...request, model: 'nobody' })).json.error.code).toBe('model_not_found');
    expect((await gateway.chat({ ...request, max_tokens: 500_000 })).json.error.code).toBe(
      'context_too_long',
    );
  });

  it('can still list its models', async () => {
    gateway.onHold = async () => 'no_credits';
    expect((await read(`${gateway.url}/api/v1/models`, { key: testKey })).status).toBe(200);
  });
});

describe('the hold of a request', () => {
  it('covers the prompt and the longest answer at the price of the app', async () => {
    await gateway.chat(request);
    const answer = 1000n * 10_000_000n;
    const [hold] = holds;
    expect(hold).toMatchObject({ accountId: 'acc', requestId: gateway.records[0]?.request_id });
    expect(hold?.amount).toBeGreaterThan((answer * 115n) / 100n);
    // The upper bound for a two-letter prompt is a few thousand tokens.
    expect(hold?.amount).toBeLessThan(((answer + 5_000n * 1_000_000n) * 115n) / 100n);
  });

  it('assumes the configured answer length for a request without max_tokens, never a whole window', async () => {
    await gateway.chat({ model: 'delta-3', messages: request.messages });
    const answer = 4_000n * 10_000_000n;
    expect(holds[0]?.amount).toBeGreaterThanOrEqual((answer * 115n) / 100n);
    expect(holds[0]?.amount).toBeLessThan(((answer + 1_000n * 1_000_000n) * 115n) / 100n);
    const words = 'x'.repeat(3_000_000);
    await gateway.chat({ model: 'delta-3', messages: [{ role: 'user', content: words }] });
    for (const { amount } of holds) expect(amount).toBeLessThanOrEqual(256_000n * 11_000_000n * 2n);
  });

  it('is released when no channel accepts the call', async () => {
    for (const fail of [
      json(500, {}),
      json(500, {}),
      json(500, {}),
      json(500, {}),
      json(500, {}),
      json(500, {}),
    ])
      own.queue.push(fail);
    for (let n = 0; n < 3; n += 1) await gateway.chat(request);
    const records = gateway.records.length;
    const answer = await gateway.chat(request);
    expect(answer.json.error.code).toBe('channel_outage');
    expect(gateway.records).toHaveLength(records);
    expect(gateway.released).toEqual([answer.headers['x-request-id']]);
  });

  it('is required: without the ledger there is no answer and no upstream call', async () => {
    gateway.onHold = () => Promise.reject(new Error('the database is away'));
    const answer = await gateway.chat(request);
    expect([answer.status, answer.json.error.code]).toEqual([500, 'internal_error']);
    expect(own.seen).toHaveLength(0);
  });
});

describe('a charge', () => {
  it('is the marked-up list price of the counts, and is recorded with its price', async () => {
    await gateway.chat(request);
    expect(gateway.records).toMatchObject([
      {
        charge_pico: pico,
        price: { input: 1_000_000n, output: 10_000_000n, cachedPercent: 20n, markupBp: 1500 },
        parents: [],
      },
    ]);
    expect(pico).toBeGreaterThan(usd / 1_000_000n);
    expect(gateway.released).toEqual([]);
  });

  it('for a broken stream covers the counts so far', async () => {
    own.fallback = events([delta({ content: 'begun' }), usageFrame], 'reset');
    const answer = await gateway.chat({ ...request, stream: true });
    expect(answer.text).toContain('upstream_error');
    expect(gateway.records).toMatchObject([{ charge_pico: pico, outcome: 'upstream_error' }]);
  });

  it('is zero for a stream that breaks before its caller got anything', async () => {
    own.fallback = events([usageFrame], 'reset');
    expect((await gateway.chat({ ...request, stream: true })).status).toBe(502);
    expect(gateway.records).toMatchObject([{ charge_pico: 0n }]);
  });
});
