import { afterEach, beforeEach, expect, it } from 'vitest';
import { adminClient } from '../../testing/admin-client.ts';
import { type FakeUpstream, hang, json, startFakeUpstream } from '../../testing/fake-upstream.ts';
import { type StoredGateway, startStoredGateway } from '../../testing/stored-gateway.ts';
import { testConfig, testKey } from '../../testing/test-gateway.ts';

const cap = 50;
/** The cost of one answer of the fallback model: 18,000 tokens at $10 per million. */
const dearest = 0.18;
let upstream: FakeUpstream;
let gateway: StoredGateway;
beforeEach(async () => {
  upstream = await startFakeUpstream();
  const models = { 'delta-3': 'cheap', 'gamma-3-pro': 'dear' };
  gateway = await startStoredGateway(
    testConfig('', {
      prices: { 'delta-3': { input: '1', output: '2' }, 'gamma-3-pro': { input: '2.5', output: '10' } },
      fallbacks: { 'delta-3': 'gamma-3-pro' },
      breaker: { consecutive_failures: 1_000, window_least: 1_000 },
      channels: [
        { id: 'all', dialect: 'chat-completions', base_url: `${upstream.url}/v1`, api_key: 'k', models },
      ],
      accounts: [
        {
          id: 'acc',
          prepaid: true,
          users: [{ id: 'usr', cap }],
          apps: [{ id: 'app' }],
          keys: [{ id: 'key-1', user: 'usr', app: 'app', secret: testKey }],
        },
      ],
    }),
  );
});
afterEach(async () => {
  await gateway.close();
  await upstream.close();
});

const ask = (path: string, body?: object) =>
  adminClient(gateway.url)(body === undefined ? 'GET' : 'POST', `/accounts/acc/${path}`, body);
const balance = async () => (await ask('balance')).json;
const chat = (model: string) => gateway.chat({ model, messages: [{ role: 'user', content: 'hi' }] });

it('$5 of credit admit further calls while a call without max_tokens is in flight', async () => {
  await ask('grants', { id: 'g', amount: '5' });
  upstream.queue.push(hang);
  const first = chat('gamma-3-pro').catch(() => null);
  await upstream.waitFor(1);
  for (let n = 0; n < 5; n += 1) expect((await chat('gamma-3-pro')).status).toBe(200);
  gateway.app.server.closeAllConnections();
  await first;
});

it('$0.01 of credit admits one call, which overshoots by at most the cost of its fallback answer', async () => {
  await ask('grants', { id: 'g', amount: '0.01' });
  const usage = { prompt_tokens: 10, completion_tokens: 18_000, total_tokens: 18_010 };
  const choices = [{ index: 0, message: { role: 'assistant', content: 'dear' }, finish_reason: 'stop' }];
  upstream.fallback = (response, seen) =>
    (seen.body.model === 'cheap' ? json(500, {}) : json(200, { id: 'x', choices, usage }))(response, seen);
  const answers = await Promise.all(Array.from({ length: 20 }, () => chat('delta-3')));
  const served = answers.filter(({ status }) => status === 200);
  expect(served).toHaveLength(1);
  for (const { status, json: body } of answers)
    if (status !== 200) expect(body.error.code).toBe('quota_exceeded');
  expect(Number((await balance()).posted)).toBeGreaterThanOrEqual(0.01 - dearest - 0.001);
});

it('a call that every channel rejected holds nothing once its error is read', async () => {
  await ask('grants', { id: 'g', amount: '5' });
  upstream.fallback = json(429, { error: { message: 'busy' } });
  const { status } = await chat('gamma-3-pro');
  expect(status).toBeGreaterThanOrEqual(429);
  expect(await balance()).toMatchObject({ posted: '5', held: '0' });
});
