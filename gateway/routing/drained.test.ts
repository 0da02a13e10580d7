import { afterEach, expect, it } from 'vitest';
import { type ManyEnds, startManyEnds } from '../testing/channels.ts';
import { completion, type FakeUpstream, frames, json, type Reply } from '../testing/fake-upstream.ts';
import { testKey } from '../testing/test-gateway.ts';
import { startRead, streamedText } from '../testing/wire.ts';

const request = { model: 'delta-3', messages: [{ role: 'user', content: 'hi' }] };
const broken: Reply = json(500, { error: { message: 'no' } });
const busy: Reply = json(429, { error: { code: 'rate_limit_exceeded' } }, { 'retry-after': '20' });

let ends: ManyEnds;
afterEach(() => ends.close());

const chat = (more: object = {}) => ends.gateway.chat({ ...request, ...more });
const drain = (...ids: string[]): void => ends.gateway.app.channels.setDrained(ids);
const seen = (): number[] => ends.upstreams.map((upstream) => upstream.seen.length);

/** Starts a gateway with channels `a`, `b`, …; returns the upstream of the first. */
async function start(...channels: Record<string, unknown>[]): Promise<FakeUpstream> {
  ends = await startManyEnds(channels);
  const [first] = ends.upstreams;
  if (first === undefined) throw new Error('no upstream');
  return first;
}

it('gets no new call, whatever its priority, until it is restored', async () => {
  await start({ priority: 0 }, { priority: 1 });
  drain('a');
  await chat();
  expect(seen()).toEqual([0, 1]);
  drain();
  await chat();
  expect(seen()).toEqual([1, 1]);
});

it('gets no second attempt', async () => {
  const a = await start({}, {});
  a.fallback = broken;
  drain('b');
  expect((await chat()).json.error.code).toBe('upstream_error');
  expect(seen()).toEqual([2, 0]);
});

it('lets the calls in flight end as they would', async () => {
  const a = await start({});
  let goOn: () => void = () => {};
  a.fallback = async (response) => {
    const [role = '', text = '', ...rest] = frames(['one ', 'two']);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(role + text);
    await new Promise<void>((resolve) => {
      goOn = resolve;
    });
    response.end(rest.join(''));
  };
  const { body } = await startRead(`${ends.gateway.url}/api/v1/chat/completions`, {
    method: 'POST',
    key: testKey,
    body: { ...request, stream: true },
  });
  drain('a');
  goOn();
  expect(streamedText(await body.text())).toBe('one two');
  expect(ends.gateway.records).toMatchObject([{ outcome: 'success', channel_id: 'a' }]);
});

it('is an outage without Retry-After if there is no other channel', async () => {
  await start({}, {});
  drain('a', 'b', 'no such channel');
  const answer = await chat();
  expect(answer).toMatchObject({ status: 503, json: { error: { code: 'channel_outage', channel: null } } });
  expect(answer.headers).not.toHaveProperty('retry-after');
  expect(ends.gateway.records).toEqual([]);
  expect(seen()).toEqual([0, 0]);
});

it('does not hide how long other channels are unavailable', async () => {
  const a = await start({}, {});
  a.fallback = busy;
  drain('b');
  await chat();
  expect(await chat()).toMatchObject({
    status: 429,
    headers: { 'retry-after': '20' },
    json: { error: { code: 'channel_queue_full' } },
  });
});

it('dismisses requests in its queue', async () => {
  const a = await start({ capacity: 1, queue_length: 2, queue_wait_ms: 60_000 });
  let answer: () => void = () => {};
  a.queue.push(async (response, request) => {
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    await completion('first')(response, request);
  });
  const first = chat();
  await a.waitFor(1);
  const second = chat();
  const [live] = ends.gateway.app.channels.serving('delta-3', ['acc']);
  await expect.poll(() => live?.waiting).toBe(1);
  drain('a');
  expect((await second).json.error.code).toBe('channel_outage');
  answer();
  expect((await first).status).toBe(200);
  expect(live?.inFlight).toBe(0);
  expect(seen()).toEqual([1]);
});
