import { beforeEach, describe, expect, it } from 'vitest';
import { ask } from '../testing/caller-view.ts';
import { everyCall, goodBody } from '../testing/native-dialects.ts';
import {
  lastChunk,
  type RawCall,
  type RawProgram,
  type RawUpstream,
  rawAnswer,
  rawChunk,
  rawHead,
  startRawUpstream,
} from '../testing/raw-upstream.ts';
import { startTestGateway, type TestGateway, testConfig } from '../testing/test-gateway.ts';
import { patientBreaker } from '../testing/two-ends.ts';

let upstream: RawUpstream;
let gateway: TestGateway;
beforeEach(async () => {
  upstream = await startRawUpstream();
  gateway = await startTestGateway(testConfig(upstream.url, patientBreaker));
  return async () => {
    await gateway.close();
    await upstream.close();
  };
});

/** A head that belongs to the call, with a chunked body unless told otherwise. */
const headOf = (
  stream: boolean,
  headers: Record<string, string> = { 'transfer-encoding': 'chunked' },
): string => rawHead({ 'content-type': stream ? 'text/event-stream' : 'application/json', ...headers });

const reset: RawProgram = ({ socket }) => {
  socket.resetAndDestroy();
};
const fin: RawProgram = ({ socket }) => {
  socket.end();
};
const sends =
  (...bytes: (string | Uint8Array)[]): RawProgram =>
  async ({ socket, write }) => {
    for (const piece of bytes) await write(piece);
    socket.end();
  };

/** Waits until the gateway has let go of every connection to the upstream. */
const letGo = (): Promise<void> => expect.poll(() => upstream.open()).toBe(0);

describe.for(everyCall)('%s', ([, stream, words]) => {
  const body = goodBody(words, stream);
  const good: RawProgram = rawAnswer(body, {
    'content-type': stream ? 'text/event-stream' : 'application/json',
  });
  const beginning = stream ? [...words.opening, words.piece('Hello')].join('') : body.slice(0, 40);
  const asked = () => ask(gateway, words, stream);
  const broken = { seen: stream ? 'broken' : 'refused' };

  it('a request that is read and never answered is a timeout after two (T6)', async () => {
    const answer = asked();
    for (const count of [1, 2]) {
      await expect.poll(() => upstream.calls.length).toBe(count);
      await gateway.clock.advance(31_000);
    }
    expect(await answer).toMatchObject({ seen: 'refused', code: 'upstream_timeout' });
    expect(upstream.calls).toHaveLength(2);
    await letGo();
  });

  it.for([
    ['a reset', reset],
    ['the end', fin],
  ] as const)(
    '%s of a kept connection is made good on a fresh one, and blames nobody (T9)',
    async ([, program]) => {
      // Nobody is blamed for it: one failure would open this breaker.
      const strict = testConfig(upstream.url, { breaker: { consecutive_failures: 1 } });
      const other = await startTestGateway(strict);
      upstream.fallback = (call) => (call.before === 0 ? good : program)(call);
      for (let i = 0; i < 4; i += 1)
        expect(await ask(other, words, stream)).toMatchObject({ seen: 'served', text: 'Hello' });
      expect(upstream.calls).toHaveLength(6);
      expect(other.records.map((record) => record.attempts)).toEqual([1, 2, 1, 2]);
      await other.close();
    },
  );

  it('a body shorter than its length is an upstream error, however much of it there is (T14)', async () => {
    const length = { 'content-length': String(Buffer.byteLength(body) + 200) };
    upstream.fallback = sends(headOf(stream, length) + beginning);
    expect(await asked()).toMatchObject({ ...broken, code: 'upstream_error' });
    if (stream) return;
    upstream.fallback = sends(headOf(stream, length) + body);
    expect(await asked()).toMatchObject({ seen: 'refused', code: 'upstream_error' });
  });

  it('a connection whose framing lies is given up, and never used again (T15)', async () => {
    const length = { 'content-length': String(Buffer.byteLength(body)) };
    const smuggled = `${rawHead({ 'content-length': '2' })}{}`;
    for (const head of [
      headOf(stream, { ...length, 'transfer-encoding': 'chunked' }),
      headOf(stream, { ...length, 'content-length ': '1' }),
    ]) {
      upstream.fallback = ({ write }: RawCall) => write(head + rawChunk(body) + lastChunk);
      expect(await asked()).toMatchObject({ seen: 'refused', code: 'upstream_error' });
    }
    for (const connection of ['keep-alive', 'close']) {
      upstream.queue.push(({ write }: RawCall) =>
        write(headOf(stream, { ...length, connection }) + body + smuggled),
      );
      // What came whole before the excess has been passed on where it is passed on as it comes.
      expect(await asked()).toMatchObject(
        stream ? { seen: 'served' } : { seen: 'refused', code: 'upstream_error' },
      );
      upstream.fallback = good;
      expect(await asked()).toMatchObject({ seen: 'served', text: 'Hello' });
      expect(upstream.calls.at(-1)?.before).toBe(0);
    }
  });

  it('bytes that are no HTTP, and a head of 64 KiB, are upstream errors (T17, T18)', async () => {
    const large = headOf(stream, { 'x-large': 'x'.repeat(65_536) });
    const many = headOf(stream, Object.fromEntries(Array.from({ length: 8000 }, (_, i) => [`x-${i}`, 'y'])));
    for (const bytes of ['CANARY\0\xff\r\n\r\n', 'SSH-2.0-CANARY\r\n', large, many]) {
      upstream.fallback = sends(bytes);
      expect(await asked()).toMatchObject({ seen: 'refused', code: 'upstream_error' });
    }
    upstream.fallback = good;
    expect(await asked()).toMatchObject({ seen: 'served' });
  });
});
