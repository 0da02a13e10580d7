import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ask } from '../testing/caller-view.ts';
import type { FakeUpstream } from '../testing/fake-upstream.ts';
import { bodyReply, everyCall, goodBody } from '../testing/native-dialects.ts';
import type { TestGateway } from '../testing/test-gateway.ts';
import { patientBreaker, twoEndsEachTest } from '../testing/two-ends.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachTest((ends) => {
  ({ upstream, gateway } = ends);
}, patientBreaker);

/** Much more than an answer may hold, in little. */
const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024, ' '));

/** A body and its labels. */
type Coded = readonly [label: string | null, body: Buffer];

const codings: readonly (readonly [name: string, coded: (body: string) => Coded])[] = [
  ['gzip', (body) => ['gzip', gzipSync(body)]],
  ['zlib', (body) => ['deflate', deflateSync(body)]],
  ['a bare deflate', (body) => ['Deflate', deflateRawSync(body)]],
  ['brotli', (body) => ['br', brotliCompressSync(body)]],
  ['zstd', (body) => ['zstd', zstdCompressSync(body)]],
  ['gzip inside of brotli', (body) => ['gzip, br', brotliCompressSync(gzipSync(body))]],
  ['gzip without a label', (body) => [null, gzipSync(body)]],
  ['zstd without a label', (body) => [null, zstdCompressSync(body)]],
  ['a label without gzip', (body) => ['gzip', Buffer.from(body)]],
  ['a label of nothing', (body) => ['identity', Buffer.from(body)]],
];

describe.for(everyCall)('%s', ([, stream, dialect]) => {
  const body = goodBody(dialect, stream);
  const asked = () => ask(gateway, dialect, stream);
  const send = (bytes: string | Uint8Array, headers: object = {}) => {
    upstream.fallback = bodyReply(stream, bytes, headers);
    return asked();
  };
  const good = {
    seen: 'served',
    text: 'Hello',
    finish: 'stop',
    usage: { prompt_tokens: 11, completion_tokens: 7 },
  };
  const failed = expect.stringMatching(stream ? /^(?:refused|broken)$/ : /^refused$/);
  const bad = { seen: failed, code: 'upstream_error' };

  it.for(codings)('%s is undone, though nobody asked for it (P1, P2)', async ([, coded]) => {
    const [label, bytes] = coded(body);
    expect(await send(bytes, label === null ? {} : { 'content-encoding': label })).toMatchObject(good);
    expect(upstream.seen[0]?.headers['accept-encoding']).toBe('identity');
  });

  it.for(codings.slice(0, 5))('%s that ends early is an upstream error (P3)', async ([, coded]) => {
    const text = 'x'.repeat(50) + Array.from({ length: 3000 }, (_, i) => i.toString(36)).join('');
    const [label, bytes] = coded(goodBody(dialect, stream, text));
    expect(await send(bytes.subarray(0, bytes.length / 2), { 'content-encoding': label })).toMatchObject(bad);
  });

  it('an unknown or a threefold coding is an upstream error, and so is a small body that is huge (P1)', async () => {
    for (const label of ['compress', 'gzip, gzip, gzip', 'br, x']) {
      expect(await send(body, { 'content-encoding': label })).toMatchObject(bad);
    }
    expect(await send(bomb, { 'content-encoding': 'gzip' })).toMatchObject(bad);
  });

  it('a connection that stays open behind a broken coding, or behind its end, is let go (P3)', async () => {
    const whole = gzipSync(body);
    const broken = Buffer.concat([whole.subarray(0, 12), Buffer.alloc(2000, 0xff)]);
    for (const bytes of [broken, Buffer.concat([brotliCompressSync(body), Buffer.from('more')])]) {
      upstream.fallback = (response) => {
        const label = bytes === broken ? 'gzip' : 'br';
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': label });
        response.write(bytes);
      };
      await asked();
      await upstream.seen.at(-1)?.aborted;
    }
  });

  it('bytes that are not UTF-8 are replaced (P4)', async () => {
    const [before = '', after = ''] = body.split('Hello');
    const bytes = Buffer.concat([
      Buffer.from(`${before}He`),
      Buffer.from([0x80]),
      Buffer.from(`llo${after}`),
    ]);
    expect(await send(bytes)).toMatchObject({ seen: 'served', text: 'He\uFFFDllo' });
  });

  it('JSON that ends early, or goes on, is an upstream error (P6)', async () => {
    for (const broken of [body.replace('Hello"', 'Hello'), body.replace(/\}(?=\n|\r|$)/, '}}')]) {
      expect(await send(broken)).toMatchObject(bad);
    }
  });

  it.for(['choices', 'content', 'candidates', 'message', 'delta', 'parts', 'type', 'text', 'finish_reason'])(
    'no %s, or one of any other type, is never an error of ours (P7, P8)',
    async (name) => {
      for (const value of ['null', '5', '"x"', '[]', '[null]', '{}', '[[]]', 'true', '1e400']) {
        const odd = body.replaceAll(new RegExp(`"${name}":`, 'g'), `"${name}":${value},"was":`);
        const { seen, code } = await send(odd);
        if (seen !== 'served') expect(['upstream_error', 'content_filter']).toContain(code);
      }
      expect(gateway.logLines.filter((line) => line.code === 'internal_error')).toEqual([]);
    },
  );

  it('counts in texts or with a fraction of zero are counts (P8)', async () => {
    const quoted = body.replaceAll(/("\w*(?:tokens|Count)":)(\d+)/gi, '$1"$2"');
    const fractions = body.replaceAll(/("\w*(?:tokens|Count)":)(\d+)/gi, '$1$2.0');
    for (const odd of [quoted, fractions]) expect(await send(odd)).toMatchObject(good);
  });

  it.for(['-7', '7.5', '"many"', '1e400', '1e12', '{}', '[7]'])(
    'a count of %s is no failure: it is flagged, and billed by what else is known (P8, P10, M10)',
    async (value) => {
      const odd = body.replaceAll(
        /("(?:completion_tokens|output_tokens|candidatesTokenCount)":)\d+/g,
        `$1${value}`,
      );
      expect(await send(odd)).toMatchObject({ seen: 'served' });
      const record = gateway.records.at(-1);
      expect(record?.price).toMatchObject({ doubts: expect.arrayContaining(['unreadable']) });
      // The total of one dialect tells what the count would have been.
      const total = dialect.name === 'generate-content' ? 7n : 1n;
      expect(record?.completion_tokens).toBeLessThanOrEqual(total);
    },
  );

  it('nesting without end harms nobody, in a member that is read or in another (P10)', async () => {
    for (const depth of [10_000, 2_000_000]) {
      const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;
      const { seen } = await send(body.replace('{"', `{"novelty":${deep},"`));
      expect(['served', 'refused', 'broken']).toContain(seen);
    }
    expect(gateway.logLines.filter((line) => line.code === 'internal_error')).toEqual([]);
  });

  it('headers that come twice, or in capitals, count once (P11)', async () => {
    upstream.fallback = (response) => {
      const type = stream ? 'text/event-stream' : 'application/json';
      response.writeHead(200, [
        'CONTENT-TYPE',
        type,
        'content-type',
        'text/plain',
        'Retry-After',
        '1',
        'retry-after',
        '2',
      ]);
      response.end(body);
    };
    expect(await asked()).toMatchObject(good);
    upstream.fallback = (response) => {
      response.writeHead(429, [
        'Retry-After',
        '7',
        'retry-after',
        '9',
        'content-type',
        'a',
        'content-type',
        'b',
      ]);
      response.end('{}');
    };
    const { code, answer } = await asked();
    expect([code, answer.headers['retry-after']]).toEqual(['channel_queue_full', '7']);
  });

  it('usage that is gone or under other names is never taken for none in silence (P12)', async () => {
    expect(await send(body.replaceAll(/"(?:usage|usageMetadata)":/g, '"consumption":'))).toMatchObject({
      seen: 'served',
    });
    expect(gateway.records).toMatchObject([{ usage_known: false, prompt_tokens: 0n }]);
  });
});
