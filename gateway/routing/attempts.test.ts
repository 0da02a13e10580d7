import { createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startManyEnds } from '../testing/channels.ts';
import {
  completion,
  cut,
  type FakeUpstream,
  hang,
  json,
  type Reply,
  startFakeUpstream,
} from '../testing/fake-upstream.ts';
import { startTestGateway, type TestGateway, testConfig } from '../testing/test-gateway.ts';
import { twoEndsEachTest } from '../testing/two-ends.ts';

const CANARY = 'CANARY-8c1f';
let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachTest((ends) => {
  ({ upstream, gateway } = ends);
});

const request = { model: 'alpha-5-2', messages: [{ role: 'user', content: 'hi' }], temperature: 1 };
const error = (fields: object): object => ({
  error: { message: CANARY, type: 'x', param: null, code: null, ...fields },
});
const status = (code: number, body: unknown = error({}), headers = {}): Reply =>
  json(code, body, { 'x-canary': CANARY, ...headers });

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

  it.for([false, true])(
    'a hanging upstream is asked twice, then it is a timeout (stream: %s)',
    async (stream) => {
      upstream.fallback = hang;
      const answer = gateway.chat({ ...request, stream });
      await upstream.waitFor(1);
      await gateway.clock.advance(29_000);
      expect(upstream.seen).toHaveLength(1);
      await gateway.clock.advance(2000);
      await upstream.waitFor(2);
      await gateway.clock.advance(31_000);
      expect(await answer).toMatchObject({
        status: 504,
        json: { error: { code: 'upstream_timeout', type: 'api_error' } },
      });
      expect(upstream.seen).toHaveLength(2);
    },
  );

  it('comments alone keep no stream waiting beyond the idle time', async () => {
    upstream.fallback = async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': ping\n\n');
      const ping = setInterval(() => response.write(': ping\n\n'), 5);
      response.once('close', () => clearInterval(ping));
    };
    const answer = gateway.chat({ ...request, stream: true });
    await upstream.waitFor(1);
    for (let i = 0; i < 40; i += 1) await gateway.clock.advance(2000).then(() => gateway.clock.sleep(2));
    expect((await answer).json.error.code).toBe('upstream_timeout');
    expect(upstream.seen).toHaveLength(2);
  });

  it('a connection that is never established is a timeout of its own', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    const url = `https://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    const lonely = await startTestGateway(testConfig(url, { upstream: { connect_timeout_ms: 40 } }));
    expect((await lonely.chat(request)).json.error.code).toBe('upstream_timeout');
    expect(lonely.records[0]?.attempts).toBe(2);
    expect(sockets).toHaveLength(2);
    await lonely.close();
    silent.close();
  });

  it('a refused connection and garbage instead of HTTP are upstream errors', async () => {
    const garbage = createServer((socket) => socket.end('garbage\r\n\r\n'));
    await new Promise<void>((resolve) => garbage.listen(0, '127.0.0.1', resolve));
    const address = garbage.address();
    const port = typeof address === 'object' ? address?.port : 0;
    for (const url of [`http://127.0.0.1:${port}`, 'http://127.0.0.1:1']) {
      const lonely = await startTestGateway(testConfig(url));
      expect((await lonely.chat(request)).json.error).toMatchObject({
        code: 'upstream_error',
        channel: 'ch-1',
      });
      await lonely.close();
    }
    garbage.close();
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
