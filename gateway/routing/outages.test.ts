import { afterEach, describe, expect, it, vi } from 'vitest';
import { type ManyEnds, startManyEnds } from '../testing/channels.ts';
import {
  completion,
  delta,
  events,
  type FakeUpstream,
  hang,
  json,
  type Reply,
} from '../testing/fake-upstream.ts';
import { testKey } from '../testing/test-gateway.ts';
import { startRead } from '../testing/wire.ts';

const request = { model: 'delta-3', messages: [{ role: 'user', content: 'hi' }] };
const broken: Reply = json(500, { error: { message: 'words of the upstream' } });
const busy: Reply = json(429, { error: { code: 'rate_limit_exceeded' } }, { 'retry-after': '20' });

let ends: ManyEnds;
afterEach(() => ends.close());

/** The only upstream of a gateway with one channel. */
async function alone(channel: Record<string, unknown> = {}): Promise<FakeUpstream> {
  ends = await startManyEnds([channel]);
  const [upstream] = ends.upstreams;
  if (upstream === undefined) throw new Error('no upstream');
  return upstream;
}

const chat = (more: object = {}) => ends.gateway.chat({ ...request, ...more });
const code = async (more: object = {}): Promise<string> => (await chat(more)).json.error?.code ?? 'ok';

describe('a channel that fails', () => {
  it('gets no sixth call, and no call at all until it has cooled down; then one probe, which brings it back', async () => {
    const upstream = await alone();
    const { clock } = ends.gateway;
    upstream.fallback = broken;
    // The third call's first attempt is the fifth failure: it has no second.
    expect([await code(), await code(), await code()]).toEqual(Array(3).fill('upstream_error'));
    expect(upstream.seen).toHaveLength(5);
    const refused = await Promise.all(Array.from({ length: 50 }, () => chat()));
    for (const answer of refused) {
      expect(answer).toMatchObject({
        status: 503,
        headers: { 'retry-after': '30' },
        json: { error: { code: 'channel_outage', type: 'api_error', channel: null, param: null } },
      });
    }
    await clock.advance(29_000);
    expect((await chat()).headers['retry-after']).toBe('1');
    expect(upstream.seen).toHaveLength(5);
    expect(ends.gateway.records).toHaveLength(3);

    await clock.advance(1_000);
    let answer: () => void = () => {};
    const asked = new Promise<void>((resolve) => {
      upstream.fallback = async (response, seen) => {
        resolve();
        await new Promise<void>((done) => {
          answer = done;
        });
        await completion('back')(response, seen);
      };
    });
    const hundred = Array.from({ length: 100 }, () => chat());
    await asked;
    const first = await Promise.race(hundred);
    expect(first.json.error.code).toBe('channel_outage');
    expect(upstream.seen).toHaveLength(6);
    upstream.fallback = completion('Hello');
    answer();
    const codes = (await Promise.all(hundred)).map(({ status }) => status);
    expect(codes.filter((status) => status === 200).length).toBeGreaterThanOrEqual(1);
    expect(await code()).toBe('ok');
    expect(ends.gateway.logLines.filter(({ msg }) => msg === 'breaker')).toMatchObject([
      { channel: 'a', model: 'delta-3', from: 'closed', to: 'open' },
      { channel: 'a', model: 'delta-3', from: 'open', to: 'half-open' },
      { channel: 'a', model: 'delta-3', from: 'half-open', to: 'closed' },
    ]);
    expect(JSON.stringify(ends.gateway.logLines)).not.toContain('words of the upstream');
  });
});

describe('an account that an upstream refuses', () => {
  const noKey = json(401, { error: { message: 'This API key is not known.', code: 'invalid_api_key' } });
  const wafPage = json(403, { error: { message: 'Your account may not send this.' } });
  const probes = ({ seen }: FakeUpstream) => seen.filter(({ body }) => body.max_tokens === 1);

  it('is out once a request of our own confirms it, and shows no caller why', async () => {
    const upstream = await alone();
    upstream.fallback = noKey;
    expect(await code()).toBe('upstream_error');
    await vi.waitFor(async () => expect(await code()).toBe('channel_outage'));
    expect(probes(upstream)).toHaveLength(1);
  });

  it('serves the others while one caller alone has prompts refused', async () => {
    const upstream = await alone();
    upstream.fallback = (response, seen) =>
      (seen.text.includes('a trap') ? wafPage : completion('Hello'))(response, seen);
    const messages = [{ role: 'user', content: 'a trap' }];
    for (let call = 0; call < 20; call += 1) expect(await code({ messages })).toBe('upstream_error');
    expect(await code()).toBe('ok');
    expect(probes(upstream)).toHaveLength(1);
  });
});

describe('a probe', () => {
  it('whose caller leaves makes room for another', async () => {
    const upstream = await alone();
    upstream.fallback = broken;
    for (let i = 0; i < 3; i += 1) await chat();
    await ends.gateway.clock.advance(30_001);
    upstream.fallback = events([delta({ content: 'x' })], 'hang');
    const leaving = new AbortController();
    const stream = await startRead(`${ends.gateway.url}/api/v1/chat/completions`, {
      method: 'POST',
      key: testKey,
      body: { ...request, stream: true },
      signal: leaving.signal,
    });
    stream.body.on('error', () => {});
    expect(await code()).toBe('channel_outage');
    leaving.abort();
    upstream.fallback = completion('Hello');
    await expect.poll(() => code()).toBe('ok');
  });

  it('that never answers fails, and the breaker opens again', async () => {
    const upstream = await alone();
    upstream.fallback = broken;
    for (let i = 0; i < 3; i += 1) await chat();
    await ends.gateway.clock.advance(30_001);
    upstream.fallback = hang;
    const probe = chat();
    await upstream.waitFor(6);
    await ends.gateway.clock.advance(30_001);
    expect((await probe).json.error.code).toBe('upstream_timeout');
    expect(await chat()).toMatchObject({ status: 503, headers: { 'retry-after': '60' } });
    expect(upstream.seen).toHaveLength(6);
  });
});

describe('a channel that asks for a wait', () => {
  it('is not called before it said so', async () => {
    const upstream = await alone();
    upstream.fallback = busy;
    expect(await chat()).toMatchObject({
      status: 429,
      headers: { 'retry-after': '20' },
      json: { error: { code: 'channel_queue_full', channel: 'a' } },
    });
    upstream.fallback = completion('Hello');
    await ends.gateway.clock.advance(5_000);
    expect(await chat()).toMatchObject({
      status: 429,
      headers: { 'retry-after': '15' },
      json: { error: { code: 'channel_queue_full', type: 'rate_limit_error', channel: null } },
    });
    expect(upstream.seen).toHaveLength(1);
    await ends.gateway.clock.advance(15_000);
    expect(await code()).toBe('ok');
  });

  it('is passed over while another serves', async () => {
    ends = await startManyEnds([{}, {}]);
    const [a, b] = ends.upstreams;
    if (a === undefined || b === undefined) throw new Error('no upstreams');
    a.fallback = busy;
    for (let i = 0; i < 20; i += 1) expect(await code()).toBe('ok');
    expect([a.seen.length, b.seen.length]).toEqual([1, 20]);
  });
});

describe('a channel with room for one call', () => {
  /** Holds every answer back until it is let go. */
  const held = (upstream: FakeUpstream): (() => void)[] => {
    const answers: (() => void)[] = [];
    upstream.fallback = async (response, seen) => {
      await new Promise<void>((resolve) => answers.push(resolve));
      await completion('Hello')(response, seen);
    };
    return answers;
  };

  it('lets as many wait as its queue holds, in turn, and no longer than they may', async () => {
    const upstream = await alone({ capacity: 1, queue_length: 2, queue_wait_ms: 5_000 });
    const { clock, app } = ends.gateway;
    const [live] = app.channels.serving('delta-3', ['acc']);
    const answers = held(upstream);
    const first = chat();
    await upstream.waitFor(1);
    const second = chat();
    await expect.poll(() => clock.nextDue()).toBeLessThan(clock.now() + 6_000);
    const third = chat();
    await expect.poll(() => live?.takesWaiting).toBe(false);
    expect(await code()).toBe('channel_queue_full');
    answers[0]?.();
    expect((await first).status).toBe(200);
    await upstream.waitFor(2);
    await clock.advance(5_000);
    expect((await third).json.error.code).toBe('channel_queue_full');
    answers[1]?.();
    expect((await second).status).toBe(200);
    expect(upstream.seen).toHaveLength(2);
    expect([live?.inFlight, clock.nextDue()]).toEqual([0, null]);
  });

  it('is not waited for by a caller who has left', async () => {
    const upstream = await alone({ capacity: 1, queue_length: 1 });
    const [live] = ends.gateway.app.channels.serving('delta-3', ['acc']);
    const answers = held(upstream);
    const first = chat();
    await upstream.waitFor(1);
    const leaving = new AbortController();
    const left = startRead(`${ends.gateway.url}/api/v1/chat/completions`, {
      method: 'POST',
      key: testKey,
      body: request,
      signal: leaving.signal,
    });
    await expect.poll(() => live?.takesWaiting).toBe(false);
    leaving.abort();
    await expect(left).rejects.toThrow();
    await expect.poll(() => live?.takesWaiting).toBe(true);
    answers[0]?.();
    expect((await first).status).toBe(200);
    expect(upstream.seen).toHaveLength(1);
  });
});
