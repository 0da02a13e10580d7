import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask } from '../testing/caller-view.ts';
import { everyCall, goodBody, type NativeWords, nativeWords } from '../testing/native-dialects.ts';
import { type RawUpstream, rawChunk, rawHead, startRawUpstream } from '../testing/raw-upstream.ts';
import { startTestGateway, type TestGateway, testConfig, testKey } from '../testing/test-gateway.ts';
import { startRead } from '../testing/wire.ts';

const totalMs = 100_000;
const mib = 1024 * 1024;

let upstream: RawUpstream;
let gateway: TestGateway;
beforeEach(async () => {
  upstream = await startRawUpstream();
  gateway = await startTestGateway(testConfig(upstream.url, { upstream: { total_timeout_ms: totalMs } }));
});
afterEach(async () => {
  await gateway.close();
  await upstream.close();
});

const headOf = (stream: boolean): string =>
  rawHead({
    'content-type': stream ? 'text/event-stream' : 'application/json',
    'transfer-encoding': 'chunked',
  });

describe.for(everyCall)('%s', ([, stream, words]) => {
  it('100 MiB are taken only as far as an answer may go (T20)', async () => {
    const text = 'x'.repeat(mib);
    let sent = 0;
    upstream.fallback = async ({ socket, write }) => {
      await write(headOf(stream) + rawChunk(stream ? words.opening.join('') : '{"a":"'));
      for (; sent < 100 && !socket.destroyed; sent += 1)
        await write(rawChunk(stream ? words.piece(text) : text));
      socket.end();
    };
    const view = await ask(gateway, words, stream);
    expect(view).toMatchObject({ seen: stream ? 'broken' : 'refused', code: 'upstream_error' });
    // The limit, and what fits the buffers on the way.
    expect(sent).toBeLessThan(45);
  });
});

describe.for(nativeWords.map((words) => [words.name, words] as const))('%s', ([, words]) => {
  it('a stream that has had its end mark ends at once, and its connection is let go (T11)', async () => {
    upstream.fallback = ({ write }) => write(headOf(true) + rawChunk(goodBody(words, true)));
    expect(await ask(gateway, words, true)).toMatchObject({ seen: 'served', text: 'Hello' });
    await gateway.clock.advance(1000);
    await expect.poll(() => upstream.open()).toBe(0);
  });

  it('a flood is taken no faster than the caller reads (T20)', async () => {
    let sent = 0;
    upstream.fallback = async ({ socket, write }) => {
      await write(headOf(true) + rawChunk(words.opening.join('')));
      const chunk = rawChunk(words.piece('x'.repeat(60_000)));
      for (; sent < 100 * mib && !socket.destroyed; sent += chunk.length) await write(chunk);
    };
    const caller = await unreading(words);
    let before = -1;
    while (sent !== before) {
      before = sent;
      await gateway.clock.sleep(100);
    }
    // What fits the buffers of both connections, and little more.
    expect(sent).toBeLessThan(20 * mib);
    caller.abort();
    await expect.poll(() => upstream.open()).toBe(0);
  });
});

/** A caller that asks for a stream and then reads none of it. */
async function unreading({ model }: NativeWords): Promise<AbortController> {
  const caller = new AbortController();
  const { body } = await startRead(`${gateway.url}/api/v1/chat/completions`, {
    method: 'POST',
    key: testKey,
    body: { model, messages: [{ role: 'user', content: 'hi' }], stream: true },
    signal: caller.signal,
  });
  body.on('error', () => {});
  await once(body, 'readable');
  return caller;
}
