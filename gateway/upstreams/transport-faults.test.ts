import { createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startBlackhole } from '../testing/blackhole.ts';
import { ask } from '../testing/caller-view.ts';
import { EVERY_CALL, goodBody, NATIVE_WORDS } from '../testing/native-dialects.ts';
import {
  LAST_CHUNK,
  type RawCall,
  type RawProgram,
  type RawUpstream,
  rawAnswer,
  rawChunk,
  rawHead,
  startRawUpstream,
} from '../testing/raw-upstream.ts';
import { startTestGateway, type TestGateway, testConfig } from '../testing/test-gateway.ts';
import { PATIENT_BREAKER } from '../testing/two-ends.ts';

let upstream: RawUpstream;
let gateway: TestGateway;
beforeEach(async () => {
  upstream = await startRawUpstream();
  gateway = await startTestGateway(testConfig(upstream.url, PATIENT_BREAKER));
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

describe('a connection that never comes to be', () => {
  const closings: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closings.splice(0)) await close();
  });
  const gatewayBefore = async (url: string, connectMs = 5000): Promise<TestGateway> => {
    const other = await startTestGateway(testConfig(url, { upstream: { connect_timeout_ms: connectMs } }));
    closings.push(() => other.close());
    return other;
  };

  it.for(NATIVE_WORDS)(
    'is an upstream error when refused or without an address: $name (T1, T3)',
    async (words) => {
      for (const url of ['http://127.0.0.1:1', 'http://no..name']) {
        const other = await gatewayBefore(url);
        expect(await ask(other, words, false)).toMatchObject({ seen: 'refused', code: 'upstream_error' });
        expect(await ask(other, words, true)).toMatchObject({ seen: 'refused', code: 'upstream_error' });
      }
    },
  );

  it('is a timeout when nobody answers, and asked for twice (T2)', async () => {
    const hole = await startBlackhole();
    closings.push(hole.close);
    const other = await gatewayBefore(hole.url, 40);
    for (const [, stream, words] of EVERY_CALL.slice(0, 2)) {
      expect(await ask(other, words, stream)).toMatchObject({ seen: 'refused', code: 'upstream_timeout' });
      expect(other.records.at(-1)).toMatchObject({ attempts: 2 });
    }
  });

  it('is a timeout when TLS does not begin, and asked for twice (T5)', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    closings.push(async () => {
      for (const socket of sockets) socket.destroy();
      silent.close();
    });
    const address = silent.address();
    const other = await gatewayBefore(
      `https://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
      40,
    );
    const [words] = NATIVE_WORDS;
    if (words !== undefined)
      expect(await ask(other, words, false)).toMatchObject({ code: 'upstream_timeout' });
    expect(sockets).toHaveLength(2);
  });
});

describe.for(EVERY_CALL)('%s', ([, stream, words]) => {
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
    '%s before the first byte is asked again, then an upstream error (T7, T8)',
    async ([, program]) => {
      upstream.queue.push(program, good);
      expect(await asked()).toMatchObject({ seen: 'served', text: 'Hello' });
      upstream.fallback = program;
      // The connection is a kept one now, which changes nothing in the number of calls.
      expect(await asked()).toMatchObject({ seen: 'refused', code: 'upstream_error' });
      expect(upstream.calls).toHaveLength(4);
    },
  );

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

  it('the end of the writing side ends the answer, and leaves no connection behind (T10)', async () => {
    for (const length of [null, Buffer.byteLength(body)]) {
      upstream.fallback = async ({ socket, write }) => {
        await write(headOf(stream, length === null ? {} : { 'content-length': String(length) }) + body);
        socket.end();
      };
      for (let i = 0; i < 20; i += 1) expect(await asked()).toMatchObject({ seen: 'served', text: 'Hello' });
      await letGo();
    }
  });

  it('a head in drops, or preliminary answers for ever, are a timeout of the head (T13)', async () => {
    let stop = false;
    upstream.fallback = async ({ socket, write }) => {
      await write('HTTP/1.1 200 OK\r\n');
      while (!stop && !socket.destroyed) {
        await write('x-drop: 1\r\n');
        await gateway.clock.sleep(1000);
      }
    };
    const answer = asked();
    for (const count of [1, 2]) {
      await expect.poll(() => upstream.calls.length).toBe(count);
      await gateway.clock.advance(31_000);
    }
    expect(await answer).toMatchObject({ seen: 'refused', code: 'upstream_timeout' });
    stop = true;
  });

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
      upstream.fallback = ({ write }: RawCall) => write(head + rawChunk(body) + LAST_CHUNK);
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

  it.for<[string, string]>([
    ['an illegal size', 'xyz\r\n'],
    ['a size beyond all measure', 'fffffffffffffffff\r\n'],
    ['no last chunk', ''],
  ])('a chunked body with %s is an upstream error (T16)', async ([, bytes]) => {
    upstream.fallback = sends(headOf(stream) + rawChunk(beginning), bytes);
    expect(await asked()).toMatchObject({ ...broken, code: 'upstream_error' });
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

  it('preliminary answers are passed over, and redirects are followed nowhere (T19)', async () => {
    const early =
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </CANARY>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n';
    upstream.fallback = sends(early + headOf(stream, {}) + body);
    expect(await asked()).toMatchObject({ seen: 'served', text: 'Hello' });
    const elsewhere = await startRawUpstream();
    for (const status of ['301 Moved', '302 Found', '303 See Other', '307 Temporary', '308 Permanent']) {
      const location = `${elsewhere.url}/CANARY`;
      upstream.fallback = sends(rawHead({ location, 'content-length': '0' }, status));
      expect(await asked()).toMatchObject({ seen: 'refused', code: 'upstream_error' });
    }
    expect(elsewhere.calls).toHaveLength(0);
    await elsewhere.close();
  });
});
