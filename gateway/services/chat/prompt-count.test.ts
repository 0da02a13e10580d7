import { beforeEach, describe, expect, it } from 'vitest';
import { startManyEnds } from '../../testing/channels.ts';
import { cut, type FakeUpstream, json } from '../../testing/fake-upstream.ts';
import { generated } from '../../testing/generate-content-upstream.ts';
import { message } from '../../testing/messages-upstream.ts';
import type { TestGateway } from '../../testing/test-gateway.ts';
import { twoEndsEachFile } from '../../testing/two-ends.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachFile((ends) => {
  ({ upstream, gateway } = ends);
});

const messages = [{ role: 'user', content: 'word '.repeat(200_000) }];

describe.for([
  {
    model: 'gamma-3-flash',
    max_tokens: 500_000,
    room: 500_000,
    answer: generated(['ok']),
    count: (totalTokens: unknown) => json(200, { totalTokens }),
    path: '/v1beta/models/native-gamma-3-flash:countTokens',
    credential: { 'x-goog-api-key': 'upstream-secret' },
    body: { generateContentRequest: { model: 'models/native-gamma-3-flash' } },
  },
  {
    model: 'beta-mid-4-5',
    max_tokens: 20_000,
    room: 180_000,
    answer: message('ok'),
    count: (input_tokens: unknown) => json(200, { input_tokens }),
    path: '/v1/messages/count_tokens',
    credential: { 'x-api-key': 'upstream-secret' },
    body: { model: 'native-beta-mid-4-5' },
  },
])('the count of a prompt for $model', ({ model, max_tokens, room, answer, count, ...expected }) => {
  const long = { model, messages, max_tokens };
  beforeEach(() => {
    upstream.fallback = answer;
  });

  it.for([
    ['exactly the window', room, 200],
    ['one more', room + 1, 400],
  ] as const)('decides before any other call: %s', async ([, tokens, status]) => {
    upstream.count = count(tokens);
    const { status: seen, json: body } = await gateway.chat(long);
    expect(seen).toBe(status);
    const isRefused = status === 400;
    if (isRefused) expect(body.error).toMatchObject({ code: 'context_too_long', param: 'messages' });
    expect(upstream.seen).toHaveLength(isRefused ? 0 : 1);
    expect(gateway.records).toHaveLength(isRefused ? 0 : 1);
    const { path, credential: headers, body: asked } = expected;
    expect(upstream.counted).toMatchObject([{ path, headers, body: asked }]);
  });

  it.for([
    ['an error', json(500, { error: { message: 'x' } })],
    ['nonsense', count('many')],
    ['no JSON', json(200, '<html>')],
    ['cut off', cut],
  ] as const)("stands in nobody's way when it is %s", async ([, reply]) => {
    upstream.count = reply;
    expect((await gateway.chat(long)).status).toBe(200);
    expect(upstream.counted).toHaveLength(1);
  });

  it('is awaited for a limited time', async () => {
    const arrived = Promise.withResolvers<void>();
    upstream.count = () => arrived.resolve();
    const asked = gateway.chat(long);
    await arrived.promise;
    await gateway.clock.advance(5000);
    expect((await asked).status).toBe(200);
  });

  it('is not requested when the verdict is certain', async () => {
    upstream.count = count(5_000_000);
    const short = [{ role: 'user', content: 'hi' }];
    expect((await gateway.chat({ ...long, messages: short })).status).toBe(200);
    expect((await gateway.chat({ model, messages: short })).status).toBe(200);
    expect((await gateway.chat({ ...long, max_tokens: 1_000_001 })).status).toBe(400);
    expect(upstream.counted).toHaveLength(0);
  });
});

it('gives an answer without a limit the rest of the window, where the dialect requires a limit (B-15)', async () => {
  upstream.fallback = message('ok');
  upstream.count = json(200, { input_tokens: 150_000 });
  const asked = async (content: string): Promise<number> => {
    await gateway.chat({ model: 'beta-mid-4-5', messages: [{ role: 'user', content }] });
    return upstream.seen.at(-1)?.body.max_tokens;
  };
  expect(await asked('word '.repeat(120_000))).toBe(50_000);
  upstream.count = json(500, {});
  expect(await asked('word '.repeat(40_000))).toBe(100_000);
  expect(await asked('hi')).toBeGreaterThan(195_000);
  expect(upstream.counted).toHaveLength(2);
});

it('sends no count to a dialect without such a call', async () => {
  expect((await gateway.chat({ model: 'delta-3', messages, max_tokens: 200_000 })).status).not.toBe(400);
  expect(upstream.counted).toHaveLength(0);
});

describe('the token count of a prompt', () => {
  const long = { model: 'beta-mid-4-5', messages, max_tokens: 20_000 };
  const failing = json(500, { error: { message: 'x' } });

  it('is requested from the chosen channel, never from an open one, and does not affect its health', async () => {
    const ends = await startManyEnds(
      [
        { dialect: 'messages', models: { 'beta-mid-4-5': 'x' } },
        { dialect: 'messages', models: { 'beta-mid-4-5': 'x' }, priority: 1 },
      ],
      { breaker: { consecutive_failures: 3 } },
    );
    const [a, b] = ends.upstreams;
    if (a === undefined || b === undefined) throw new Error('no upstreams');
    for (const upstream of [a, b]) {
      upstream.fallback = message('ok');
      upstream.count = failing;
    }
    for (let i = 0; i < 5; i += 1) expect((await ends.gateway.chat(long)).status).toBe(200);
    expect([a.counted.length, a.seen.length, b.counted.length]).toEqual([5, 5, 0]);
    a.fallback = failing;
    for (let i = 0; i < 3; i += 1) expect((await ends.gateway.chat(long)).status).toBe(200);
    expect([a.counted.length, a.seen.length]).toEqual([8, 8]);
    expect((await ends.gateway.chat(long)).status).toBe(200);
    expect([a.counted.length, a.seen.length, b.counted.length]).toEqual([8, 8, 1]);
    // With every channel open, no call is sent and no time is lost.
    b.fallback = failing;
    for (let i = 0; i < 3; i += 1) await ends.gateway.chat(long);
    const before = [a, b].flatMap(({ counted, seen }) => [counted.length, seen.length]);
    expect((await ends.gateway.chat(long)).json.error.code).toBe('channel_outage');
    expect([a, b].flatMap(({ counted, seen }) => [counted.length, seen.length])).toEqual(before);
    await ends.close();
  });

  it('delays at most one request when its upstream hangs', async () => {
    const arrived = Promise.withResolvers<void>();
    upstream.fallback = message('ok');
    upstream.count = () => arrived.resolve();
    const asked = gateway.chat(long);
    await arrived.promise;
    await gateway.clock.advance(5000);
    expect((await asked).status).toBe(200);
    for (let i = 0; i < 3; i += 1) expect((await gateway.chat(long)).status).toBe(200);
    expect(upstream.counted).toHaveLength(1);
    upstream.count = json(200, { input_tokens: 1_000_000 });
    await gateway.clock.advance(30_000);
    expect((await gateway.chat(long)).json.error.code).toBe('context_too_long');
  });
});
