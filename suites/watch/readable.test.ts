import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { readable } from './readable.ts';
import { exchangeOf } from './testing/passing.ts';

const text = `data: ${'hello there '.repeat(200)}\n\n`;

/** An exchange both of whose bodies are in this coding. */
function coded(coding: string, body: Buffer, complete = true): ReturnType<typeof exchangeOf> {
  const headers = { 'Content-Encoding': coding };
  const plain = exchangeOf({ path: '/', headers, answered: headers, at: 0 });
  const { request, response } = plain;
  if (response === null) throw new Error('it has an answer');
  return { ...plain, request: { ...request, body }, response: { ...response, body, complete } };
}

it.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
] as const)('reads %s in both directions', async (coding, compress) => {
  const exchange = await readable(coded(coding, compress(text)), 1e6);
  if (typeof exchange === 'string') throw new Error(exchange);
  expect([exchange.request, exchange.response].map((one) => String(one?.body))).toEqual([text, text]);
});

it('reads a broken-off body as far as it came, but not a complete body that is truncated', async () => {
  const cut = gzipSync(text).subarray(0, -8);
  const { request, ...rest } = coded('gzip', cut, false);
  const plain = { ...request, headers: [] };
  const exchange = await readable({ ...rest, request: plain }, 1e6);
  expect(typeof exchange === 'string' ? exchange : String(exchange.response?.body)).toBe(text);
  expect(await readable(coded('gzip', cut), 1e6)).toBe('in a coding that is not read');
});

it('unpacks no more than is judged, and no unknown coding', async () => {
  expect(await readable(coded('gzip', gzipSync('x'.repeat(5_000))), 1_000)).toBe('too large');
  expect(await readable(coded('compress', Buffer.from('x')), 1_000)).toBe('in a coding that is not read');
});
