import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { completion, type FakeUpstream, hang, startFakeUpstream } from '../../testing/fake-upstream.ts';
import { type FreshPlace, freshCluster } from '../../testing/store/test-stores.ts';
import { type StoredGateway, startStoredGateway, testPrices } from '../../testing/stored-gateway.ts';
import { adminToken, otherKey, testConfig, testKey } from '../../testing/test-gateway.ts';
import { type Answer, type Question, read, startRead } from '../../testing/wire.ts';

/** The cost of a call to the fake upstream: 8 plain, 3 cached at a quarter, 7 completion tokens. */
const charge = '0.000091875';
const request = { model: 'delta-3', messages: [{ role: 'user', content: 'hi' }] };

let upstream: FakeUpstream;
let place: FreshPlace;
let gateway: StoredGateway;
beforeAll(async () => {
  upstream = await startFakeUpstream();
  place = await freshCluster();
  gateway = await startStoredGateway(testConfig(upstream.url, { prices: testPrices }), place.place);
});
afterEach(() => {
  upstream.fallback = completion('Hello');
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
  await place.remove();
});

const admin = (path: string, question: Question = {}): Promise<Answer> =>
  read(`${gateway.url}/api/admin${path}`, { key: adminToken, ...question });
const post = (path: string): Promise<Answer> => admin(path, { method: 'POST' });
async function chat(more: object = {}, key = testKey): Promise<string> {
  const answer = await gateway.chat({ ...request, ...more }, key);
  return String(answer.headers['x-request-id']);
}
const ids = (answer: Answer): string[] =>
  answer.json.data.map((record: { request_id: string }) => record.request_id);

describe('the usage log', () => {
  let red: string;
  let blue: string;
  let others: string;
  beforeAll(async () => {
    red = await chat({ user: 'ann', metadata: { team: 'red', 'a.b': '1' } });
    blue = await chat({ user: 'ann', metadata: { team: 'blue' }, model: 'alpha-5-2' });
    others = await chat({ metadata: { team: 'red' } }, otherKey);
  });

  it('shows everything that a request was billed by', async () => {
    const { data, next } = (await admin(`/usage?request_id=${red}`)).json;
    expect(next).toBeNull();
    expect(data).toEqual([
      {
        request_id: red,
        account_id: 'acc',
        user_id: 'usr',
        app_id: 'app',
        key_id: 'key-1',
        model_requested: 'delta-3',
        model_served: 'delta-3',
        channel_id: 'ch-1',
        outcome: 'success',
        stream: false,
        attempts: 1,
        prompt_tokens: 11,
        completion_tokens: 7,
        cached_tokens: 3,
        cache_write_5m_tokens: 0,
        cache_write_1h_tokens: 0,
        usage_known: true,
        units: null,
        unit: null,
        task_id: null,
        charge: charge,
        price: {
          input: '2.5',
          output: '10',
          cached_percent: 25,
          write_5m_percent: 100,
          write_1h_percent: 100,
          markup_bp: 0,
          doubts: [],
        },
        parents: [],
        end_user: 'ann',
        metadata: { team: 'red', 'a.b': '1' },
        started_at: expect.stringMatching(/^\d{4}-.*Z$/),
        ended_at: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ]);
  });

  it('filters by the query, newest first', async () => {
    expect(ids(await admin('/usage'))).toEqual([others, blue, red]);
    expect(ids(await admin('/usage?account_id=acc'))).toEqual([blue, red]);
    expect(ids(await admin('/usage?end_user=ann&model=delta-3'))).toEqual([red]);
    expect(ids(await admin('/usage?metadata.team=red'))).toEqual([others, red]);
    expect(ids(await admin('/usage?metadata.team=red&metadata.a.b=1'))).toEqual([red]);
    expect(ids(await admin('/usage?metadata.team=green'))).toEqual([]);
    const { ended_at: endedAt } = (await admin(`/usage?request_id=${blue}`)).json.data[0];
    expect(ids(await admin(`/usage?to=${endedAt}`))).not.toContain(blue);
    expect(ids(await admin(`/usage?from=${endedAt}`))).toContain(blue);
    expect(ids(await admin('/usage?from=2000-01-01T00:00:00Z&to=2001-01-01T00:00:00%2B01:00'))).toEqual([]);
  });

  it('is paged', async () => {
    const first = await admin('/usage?limit=2');
    expect(ids(first)).toEqual([others, blue]);
    const second = await admin(`/usage?limit=2&after=${first.json.next}`);
    expect(ids(second)).toEqual([red]);
    expect(second.json.next).toBeNull();
  });

  it.for([
    ['limit=0', 'limit'],
    ['limit=501', 'limit'],
    ['limit=x', 'limit'],
    ['after=never', 'after'],
    ['account_id=%00', 'account_id'],
    ['from=yesterday', 'from'],
    ['to=2026-01-01', 'to'],
    ['colour=red', 'colour'],
    ['metadata=red', 'metadata'],
    ['model=a&model=b', 'model'],
    ['metadata.team=a&metadata.team=b', 'metadata.team'],
  ])('rejects the query %s', async ([query, param]) => {
    expect(await admin(`/usage?${query}`)).toMatchObject({
      status: 400,
      json: { error: { code: 'invalid_param', param } },
    });
  });
});

describe('the money of an account', () => {
  it('is shown as a balance and as ledger entries', async () => {
    const before = (await admin('/accounts/acc/balance')).json;
    const id = await chat();
    const { posted, tokens_used, month, ...rest } = (await admin('/accounts/acc/balance')).json;
    expect(rest).toMatchObject({ held: '0', available: posted, prepaid: false, monthly_tokens: null });
    expect(month).toMatch(/^\d{4}-\d\d$/);
    expect(tokens_used - before.tokens_used).toBe(18);
    expect(Number(before.posted) - Number(posted)).toBeCloseTo(Number(charge), 12);

    const { data } = (await admin(`/accounts/acc/ledger?request_id=${id}`)).json;
    expect(data.map(({ kind, book }: { kind: string; book: string }) => `${kind} ${book}`)).toEqual(
      expect.arrayContaining([
        'hold credits',
        'hold held',
        'settle held',
        'settle credits',
        'settle revenue',
      ]),
    );
    expect(data.find(({ book }: { book: string }) => book === 'revenue')).toEqual({
      id: expect.stringMatching(/^\d+$/),
      transfer_id: `end:${id}`,
      kind: 'settle',
      book: 'revenue',
      amount: charge,
      request_id: id,
      note: null,
      posted_at: expect.stringMatching(/Z$/),
    });
  });

  it('comes in pages, from the newest entry to the oldest', async () => {
    const all = (await admin('/accounts/acc/ledger?limit=500')).json.data;
    const pages: unknown[] = [];
    for (let after: string | null = ''; after !== null; ) {
      const answer: Answer = await admin(
        `/accounts/acc/ledger?limit=4${after === '' ? '' : `&after=${after}`}`,
      );
      pages.push(...answer.json.data);
      after = answer.json.next;
    }
    expect(pages).toEqual(all);
    expect(
      all.every(({ id }: { id: string }, i: number) => i === 0 || Number(id) < Number(all[i - 1].id)),
    ).toBe(true);
  });

  it.for(['/accounts/none/balance', '/accounts/none/ledger'])('is not found at %s', async (path) => {
    expect(await admin(path)).toMatchObject({ status: 404, json: { error: { code: 'not_found' } } });
  });

  it('rejects an unknown cursor', async () => {
    expect((await admin('/accounts/acc/ledger?after=x')).json.error.param).toBe('after');
  });
});

describe('the channels', () => {
  it('are shown with the state of each model, and without their keys', async () => {
    const answer = await admin('/channels');
    expect(answer.json.data.map(({ id }: { id: string }) => id)).toEqual([
      'ch-1',
      'ch-beta',
      'ch-gamma',
      'ch-images',
      'ch-jobs',
      'ch-callback-jobs',
    ]);
    expect(answer.json.data[0]).toMatchObject({
      dialect: 'chat-completions',
      account_id: null,
      drained: false,
    });
    const model = { model: 'delta-3', state: 'closed', condition: 'free', in_flight: 0, waiting: 0 };
    expect(answer.json.data[0].models).toContainEqual(model);
    expect(answer.text).not.toContain('upstream-secret');
  });

  it('show calls in flight', async () => {
    upstream.fallback = hang;
    const leave = new AbortController();
    const calls = upstream.seen.length;
    const call = startRead(`${gateway.url}/api/v1/chat/completions`, {
      method: 'POST',
      key: testKey,
      body: request,
      signal: leave.signal,
    });
    await upstream.waitFor(calls + 1);
    const shown = async (): Promise<object> =>
      (await admin('/channels')).json.data[0].models.find(
        ({ model }: { model: string }) => model === 'delta-3',
      );
    expect(await shown()).toMatchObject({ in_flight: 1 });
    expect((await admin('/slots')).json).toEqual({ data: [{ user_id: 'usr', held: 1 }], next: null });
    leave.abort();
    await call.catch(() => {});
    // The gateway reads the upstream's answer for a while longer.
    await expect.poll(async () => (await admin('/slots')).json.data).toEqual([]);
    await gateway.clock.advance(20_000);
    await expect.poll(shown).toMatchObject({ in_flight: 0 });
    await expect.poll(async () => (await admin('/slots')).json).toEqual({ data: [], next: null });
  });

  it('are paged', async () => {
    const first = (await admin('/channels?limit=4')).json;
    const ids = ['ch-1', 'ch-beta', 'ch-gamma', 'ch-images'];
    expect(first).toMatchObject({ data: ids.map((id) => ({ id })), next: 'ch-images' });
    expect((await admin(`/channels?limit=4&after=${first.next}`)).json).toMatchObject({
      data: [{ id: 'ch-jobs' }, { id: 'ch-callback-jobs' }],
      next: null,
    });
    // An unknown channel is not a valid cursor.
    expect(await admin('/channels?after=ch-9')).toMatchObject({
      status: 400,
      json: { error: { code: 'invalid_param', param: 'after' } },
    });
  });

  it('get no calls while drained, even after a restart, until they are restored', async () => {
    expect((await post('/channels/ch-1/drain')).json).toMatchObject({ id: 'ch-1', drained: true });
    const refused = await gateway.chat(request);
    expect(refused).toMatchObject({ status: 503, json: { error: { code: 'channel_outage' } } });
    expect(refused.headers).not.toHaveProperty('retry-after');
    expect((await post('/channels/ch-1/drain')).status).toBe(200);
    await gateway.close();

    gateway = await startStoredGateway(testConfig(upstream.url, { prices: testPrices }), place.place);
    expect((await admin('/channels')).json.data[0].drained).toBe(true);
    expect((await gateway.chat(request)).status).toBe(503);
    expect((await post('/channels/ch-1/restore')).json).toMatchObject({ drained: false });
    expect((await gateway.chat(request)).status).toBe(200);
    expect((await post('/channels/ch-1/restore')).status).toBe(200);
  });

  it.for(['drain', 'restore'])('answer 404 for an unknown channel: %s', async (what) => {
    expect(await post(`/channels/ch-9/${what}`)).toMatchObject({
      status: 404,
      json: { error: { code: 'not_found' } },
    });
    expect(await admin(`/channels/ch-1/${what}`)).toMatchObject({ status: 405, headers: { allow: 'POST' } });
  });
});

it.for(['/usage', '/accounts/acc/balance', '/accounts/acc/ledger', '/channels', '/slots'])(
  'rejects callers without the admin token at %s',
  async (path) => {
    expect((await admin(path, { key: testKey })).json.error.code).toBe('admin_token_required');
    expect((await admin(path, { key: 'nobody' })).json.error.code).toBe('invalid_api_key');
  },
);
