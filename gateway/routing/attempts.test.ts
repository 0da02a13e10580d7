import { describe, expect, it } from 'vitest';
import { startManyEnds } from '../testing/channels.ts';
import {
  completion,
  cut,
  type FakeUpstream,
  json,
  type Reply,
  startFakeUpstream,
} from '../testing/fake-upstream.ts';
import { startTestGateway, type TestGateway, testConfig } from '../testing/test-gateway.ts';
import { twoEndsEachTest } from '../testing/two-ends.ts';

const canary = 'CANARY-8c1f';
let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachTest((ends) => {
  ({ upstream, gateway } = ends);
});

const request = { model: 'alpha-5-2', messages: [{ role: 'user', content: 'hi' }], temperature: 1 };
const error = (fields: object): object => ({
  error: { message: canary, type: 'x', param: null, code: null, ...fields },
});
const status = (code: number, body: unknown = error({}), headers = {}): Reply =>
  json(code, body, { 'x-canary': canary, ...headers });

describe('retries', () => {
  it.for([
    ['500', status(500)],
    ['a cut', cut],
    ['429', status(429)],
  ] as const)('a success after %s is all that the caller sees', async ([, first]) => {
    upstream.queue.push(first);
    const answer = await gateway.chat(request);
    expect(answer.json.choices[0].message.content).toBe('Hello');
    expect(upstream.seen).toHaveLength(2);
    expect(upstream.seen[0]?.text).toBe(upstream.seen[1]?.text);
    expect(gateway.records).toMatchObject([{ outcome: 'success', attempts: 2, prompt_tokens: 11n }]);
  });

  it('an answer above the limit is refused', async () => {
    upstream.fallback = completion('x'.repeat(5000));
    const small = await startTestGateway(testConfig(upstream.url, { upstream: { answer_bytes: 4000 } }));
    expect((await small.chat(request)).json.error.code).toBe('upstream_error');
    await small.close();
  });
});

describe('channels', () => {
  const channel = (id: string, url: string, account?: string) => ({
    id,
    dialect: 'chat-completions',
    base_url: url,
    api_key: `key-${id}`,
    models: { 'alpha-5-2': `native-${id}` },
    ...(account && { account }),
  });

  it('the second attempt goes to another channel, and the last one is named', async () => {
    const second = await startFakeUpstream();
    const two = await startTestGateway(
      testConfig('', { channels: [channel('a', upstream.url), channel('b', second.url)] }),
    );
    upstream.fallback = status(500);
    expect((await two.chat(request)).status).toBe(200);
    expect(second.seen[0]).toMatchObject({
      headers: { authorization: 'Bearer key-b' },
      body: { model: 'native-b' },
    });
    // By now b is the healthier, and is asked first.
    second.fallback = status(500);
    upstream.fallback = status(503, error({}), { 'retry-after': '17' });
    expect(await two.chat(request)).toMatchObject({
      status: 429,
      headers: { 'retry-after': '5' },
      json: { error: { code: 'channel_queue_full', channel: 'a' } },
    });
    expect([upstream.seen.length, second.seen.length]).toEqual([2, 2]);
    expect(two.records).toMatchObject([
      { outcome: 'success', attempts: 2, channel_id: 'b' },
      { outcome: 'channel_queue_full', attempts: 2, channel_id: 'a' },
    ]);
    await two.close();
    await second.close();
  });

  it('kept connections that have died on both channels still make two calls, not four', async () => {
    const { gateway: two, upstreams, close } = await startManyEnds([{}, {}]);
    const calls = (): number => upstreams.reduce((sum, { seen }) => sum + seen.length, 0);
    const delta = { ...request, model: 'delta-3' };
    for (const lot of [0, 0.9]) {
      two.random = () => lot;
      expect((await two.chat(delta)).status).toBe(200);
    }
    expect(upstreams.map(({ seen }) => seen.length > 0)).toEqual([true, true]);
    for (const each of upstreams) each.fallback = cut;
    const before = calls();
    expect(await two.chat(delta)).toMatchObject({ status: 502, json: { error: { code: 'upstream_error' } } });
    expect(calls() - before).toBe(2);
    expect(two.records.at(-1)).toMatchObject({ outcome: 'upstream_error', attempts: 2 });
    await close();
  });

  it('an empty purse is only retried elsewhere', async () => {
    const second = await startFakeUpstream();
    const two = await startTestGateway(
      testConfig('', { channels: [channel('a', upstream.url), channel('b', second.url)] }),
    );
    upstream.fallback = status(429, error({ code: 'insufficient_quota' }));
    expect((await two.chat(request)).status).toBe(200);
    expect(upstream.seen).toHaveLength(1);
    await two.close();
    await second.close();
  });

  it('an account with a channel of its own never uses the shared ones', async () => {
    const own = await startFakeUpstream();
    const two = await startTestGateway(
      testConfig('', { channels: [channel('shared', upstream.url), channel('own', own.url, 'acc')] }),
    );
    own.fallback = status(500);
    expect((await two.chat(request)).json.error.channel).toBe('own');
    expect(upstream.seen).toHaveLength(0);
    expect(own.seen).toHaveLength(2);
    await two.close();
    await own.close();
  });
});
