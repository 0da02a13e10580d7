import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Hold } from '../../billing/ledger.ts';
import type { UsageRecord } from '../../billing/usage-record.ts';
import { type ManyEnds, startManyEnds } from '../../testing/channels.ts';
import {
  completion,
  cut,
  delta,
  events,
  type FakeUpstream,
  hang,
  json,
  USAGE_FRAME,
} from '../../testing/fake-upstream.ts';
import { message } from '../../testing/messages-upstream.ts';
import { KEY, type TestGateway } from '../../testing/test-gateway.ts';
import { read, startRead } from '../../testing/wire.ts';

const USD = 10n ** 12n;
const DELTA = { input: '1', output: '10', cached_percent: 20 };
const LEAD = { input: '100', output: '100' };
const RESERVE = { input: '2', output: '20' };
/** What `USAGE` of the fake upstream costs on delta-3: 8 plain and 3 cached tokens at a fifth, 7 of output, 15 % more. */
const CHARGE = ((8n * 100n + 3n * 20n) * 1_000_000n + 7n * 100n * 10_000_000n) * 11_500n;
const PICO = CHARGE / (100n * 10_000n);

let ends: ManyEnds;
let gateway: TestGateway;
let own: FakeUpstream;
let reserve: FakeUpstream;
let holds: Hold[];
const request = { model: 'delta-3', messages: [{ role: 'user', content: 'hi' }], max_tokens: 1000 };
const lead = { ...request, model: 'lead-1' };

beforeEach(async () => {
  const models = ['lead-1', 'reserve-1'].map((id) => ({
    id,
    context_tokens: 100_000,
    capabilities: ['stream'],
  }));
  const app = { id: 'app', markup_bp: 1500, model_markup_bp: { 'reserve-1': -5000 } };
  ends = await startManyEnds(
    [
      { models: { 'delta-3': 'native-delta-3', 'lead-1': 'native-lead' } },
      { models: { 'reserve-1': 'native-reserve' }, dialect: 'messages' },
    ],
    {
      chat_models: models,
      fallbacks: { 'lead-1': 'reserve-1' },
      prices: { 'delta-3': DELTA, 'lead-1': LEAD, 'reserve-1': RESERVE },
      accounts: [
        {
          id: 'acc',
          users: [{ id: 'usr' }],
          apps: [app],
          keys: [{ id: 'key-1', user: 'usr', app: 'app', secret: KEY }],
        },
      ],
    },
  );
  ({ gateway } = ends);
  const [first, second] = ends.upstreams;
  if (first === undefined || second === undefined) throw new Error('no upstreams');
  own = first;
  reserve = second;
  holds = [];
  gateway.onHold = async (hold) => {
    holds.push(hold);
    return 'held';
  };
});
afterEach(() => ends.close());

describe('an account that has used up', () => {
  it.for([
    ['its credits', 'no_credits', /credits/],
    ['its quota', 'no_quota', /quota/],
  ] as const)('%s is refused, and no upstream hears of it', async ([, admission, message]) => {
    gateway.onHold = async () => admission;
    for (const stream of [false, true]) {
      expect(await gateway.chat({ ...request, stream })).toMatchObject({
        status: 429,
        json: { error: { type: 'rate_limit_error', code: 'quota_exceeded', param: null, channel: null } },
      });
    }
    expect((await gateway.chat(request)).json.error.message).toMatch(message);
    expect([own.seen.length, gateway.records, gateway.released]).toEqual([0, [], []]);
  });

  it('hears of a fault in its request first', async () => {
    gateway.onHold = async () => 'no_credits';
    expect((await gateway.chat({ ...request, temperature: 9 })).json.error.code).toBe('invalid_param');
    expect((await gateway.chat({ ...request, model: 'nobody' })).json.error.code).toBe('model_not_found');
    expect((await gateway.chat({ ...request, max_tokens: 500_000 })).json.error.code).toBe(
      'context_too_long',
    );
  });

  it('may still see its models', async () => {
    gateway.onHold = async () => 'no_credits';
    expect((await read(`${gateway.url}/api/v1/models`, { key: KEY })).status).toBe(200);
  });
});

describe('what a request holds', () => {
  it('covers its prompt and the longest answer at the price of its app', async () => {
    await gateway.chat(request);
    const answer = 1000n * 10_000_000n;
    const [hold] = holds;
    expect(hold).toMatchObject({ accountId: 'acc', requestId: gateway.records[0]?.request_id });
    expect(hold?.amount).toBeGreaterThan((answer * 115n) / 100n);
    // The bound of a prompt of two letters is a few thousand tokens.
    expect(hold?.amount).toBeLessThan(((answer + 5_000n * 1_000_000n) * 115n) / 100n);
  });

  it('is never more than the window allows, also where nobody says how long the answer may be', async () => {
    await gateway.chat({ model: 'delta-3', messages: request.messages });
    expect(holds[0]?.amount).toBeLessThan(256_000n * 11_000_000n * 2n);
  });

  it('is given back when no channel takes the call', async () => {
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

  it('is what lets a request go on: without the ledger there is no answer, and no call', async () => {
    gateway.onHold = () => Promise.reject(new Error('the database is away'));
    const answer = await gateway.chat(request);
    expect([answer.status, answer.json.error.code]).toEqual([500, 'internal_error']);
    expect(own.seen).toHaveLength(0);
  });
});

describe('a charge', () => {
  it('is the list price of the counts, marked up, and stands on record with its price', async () => {
    await gateway.chat(request);
    expect(gateway.records).toMatchObject([
      {
        charge_pico: PICO,
        price: { input: 1_000_000n, output: 10_000_000n, cachedPercent: 20n, markupBp: 1500 },
        parents: [],
      },
    ]);
    expect(PICO).toBeGreaterThan(USD / 1_000_000n);
    expect(gateway.released).toEqual([]);
  });

  it('of a stream is the same', async () => {
    own.fallback = events([delta({ content: 'Hello' }), delta({}, 'stop'), USAGE_FRAME, 'data: [DONE]\n\n']);
    await gateway.chat({ ...request, stream: true });
    expect(gateway.records).toMatchObject([{ charge_pico: PICO, stream: true }]);
  });

  it('is one for a request that needed two attempts', async () => {
    own.queue.push(json(503, {}));
    expect((await gateway.chat(request)).status).toBe(200);
    expect(gateway.records).toMatchObject([{ charge_pico: PICO, attempts: 2 }]);
    expect(holds).toHaveLength(1);
  });

  it('is at the price and the markup of the model that answered', async () => {
    own.fallback = json(500, {});
    reserve.fallback = message('From the reserve', { usage: { input_tokens: 1000, output_tokens: 10 } });
    expect((await gateway.chat(lead)).json.model).toBe('reserve-1');
    expect(gateway.records).toMatchObject([
      {
        charge_pico: (1000n * 2_000_000n + 10n * 20_000_000n) / 2n,
        price: { input: 2_000_000n, markupBp: -5000 },
      },
    ]);
  });

  it.for([
    ['a failure', json(500, {})],
    ['a refusal', json(400, { error: { code: 'content_policy_violation', message: 'no' } })],
    ['a cut', cut],
    ['an answer that is none', json(200, 'garbage')],
  ] as const)('is nothing for %s', async ([, reply]) => {
    own.fallback = reply;
    expect((await gateway.chat(request)).status).toBeGreaterThanOrEqual(400);
    expect(gateway.records).toMatchObject([{ charge_pico: 0n, usage_known: false }]);
  });

  it('is nothing where the upstream counted nothing', async () => {
    own.fallback = completion('Hello', { usage: undefined });
    expect((await gateway.chat(request)).status).toBe(200);
    expect(gateway.records).toMatchObject([{ charge_pico: 0n, usage_known: false, prompt_tokens: 0n }]);
  });

  it('of a stream that breaks is what had been counted by then', async () => {
    own.fallback = events([delta({ content: 'begun' }), USAGE_FRAME], 'reset');
    const answer = await gateway.chat({ ...request, stream: true });
    expect(answer.text).toContain('upstream_error');
    expect(gateway.records).toMatchObject([{ charge_pico: PICO, outcome: 'upstream_error' }]);
  });

  it('of a stream that breaks before its caller got anything is nothing', async () => {
    own.fallback = events([USAGE_FRAME], 'reset');
    expect((await gateway.chat({ ...request, stream: true })).status).toBe(502);
    expect(gateway.records).toMatchObject([{ charge_pico: 0n }]);
  });

  /** Resolves with the next record that is written. */
  const nextRecord = () =>
    new Promise<UsageRecord>((resolve) => {
      gateway.onWrite = async (record) => resolve(record);
    });
  const openStream = () => {
    const body = { ...request, stream: true };
    return startRead(`${gateway.url}/api/v1/chat/completions`, {
      method: 'POST',
      key: KEY,
      body,
    });
  };

  it('of a stream that its client leaves is what had been counted by then', async () => {
    own.fallback = events([USAGE_FRAME, delta({ content: 'begun' })], 'hang');
    const written = nextRecord();
    const { body } = await openStream();
    body.once('data', () => body.destroy());
    body.once('error', () => {});
    expect(await written).toMatchObject({ outcome: 'client_gone', charge_pico: PICO });
  });

  it('of a client that leaves before anything came is nothing', async () => {
    own.fallback = hang;
    const written = nextRecord();
    openStream().catch(() => {});
    await own.waitFor(1);
    gateway.app.server.closeAllConnections();
    expect(await written).toMatchObject({ outcome: 'client_gone', charge_pico: 0n });
  });
});
