import { describe, expect, it } from 'vitest';
import { delta, events, type FakeUpstream, frames, type StreamEnd } from '../../testing/fake-upstream.ts';
import { type TestGateway, testKey } from '../../testing/test-gateway.ts';
import { readStream, type TwoEnds, twoEndsEachTest } from '../../testing/two-ends.ts';
import { parseEvents, startRead } from '../../testing/wire.ts';

let ends: TwoEnds;
let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachTest((started) => {
  ends = started;
  ({ upstream, gateway } = started);
});

const request = { model: 'alpha-5-2', messages: [{ role: 'user', content: 'hi' }], stream: true };

const streamOf = (pieces: readonly (string | Uint8Array)[], end?: StreamEnd) =>
  readStream(ends, request, pieces, end);

describe('a failure after the stream began', () => {
  const started = delta({ content: 'begun' });

  it('is a timeout after silence, and the upstream call is aborted', async () => {
    upstream.fallback = events([started], 'hang');
    const reading = await startRead(`${gateway.url}/api/v1/chat/completions`, {
      method: 'POST',
      key: testKey,
      body: request,
    });
    let text = '';
    for await (const piece of reading.body) {
      if (text === '') void gateway.clock.advance(31_000);
      text += piece;
    }
    expect(parseEvents(text).chunks.at(-1)).toMatchObject({ error: { code: 'upstream_timeout' } });
    await upstream.seen[0]?.aborted;
    expect(upstream.seen).toHaveLength(1);
  });

  it('is an internal error if the usage cannot be stored', async () => {
    gateway.onWrite = () => Promise.reject(new Error('disk full'));
    const { chunks, done } = await streamOf(frames(['x']));
    expect(chunks.at(-1)).toMatchObject({ error: { code: 'internal_error', type: 'api_error' } });
    expect(done).toBe(true);
  });
});

it('makes the usage durable before the last chunk of a stream', async () => {
  let durable = (): void => {};
  let text = '';
  gateway.onWrite = () =>
    new Promise((resolve) => {
      durable = resolve;
    });
  upstream.fallback = events(frames(['x']));
  const { body } = await startRead(`${gateway.url}/api/v1/chat/completions`, {
    method: 'POST',
    key: testKey,
    body: request,
  });
  const read = (async () => {
    for await (const piece of body) text += piece;
  })();
  await expect.poll(() => text).toContain('"x"');
  await gateway.clock.sleep(30);
  expect(text).not.toContain('finish_reason":"stop');
  expect(text).not.toContain('DONE');
  durable();
  await read;
  expect(parseEvents(text).done).toBe(true);
});
