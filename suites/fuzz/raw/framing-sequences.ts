import {
  bearer,
  chunked,
  closing,
  get,
  goodGet,
  post,
  type RawSequence,
  raw,
  small,
} from './raw-sequence.ts';

const length = (value: number | string): string => `Content-Length: ${value}\r\n`;
const inChunks = `b\r\n${small}\r\n0\r\n\r\n`;
/** A second request that one reader sees after the body, and another one inside it. */
const hidden = goodGet;

/** Bodies whose end is ambiguous: a proxy in front may read it differently. */
const smuggling: readonly RawSequence[] = [
  raw('a length and chunks', `${post}${length(5)}${chunked}\r\n${inChunks}`),
  raw('chunks and a length', `${post}${chunked}${length(5)}\r\n${inChunks}`),
  raw(
    'a length that hides a request in chunks',
    `${post}${length(5 + hidden.length)}${chunked}\r\n0\r\n\r\n${hidden}`,
  ),
  raw(
    'chunks that hide a request behind a length',
    `${post}${chunked}${length(4)}\r\n${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`,
  ),
  raw('two different lengths', `${post}${length(11)}${length(5)}\r\n${small}`),
  raw('two lengths in one header', `${post}${length('11, 5')}\r\n${small}`),
  raw('the same length twice', `${post}${length(11)}${length(11)}${closing}\r\n${small}`),
  raw('a length with a sign', `${post}${length('+11')}${closing}\r\n${small}`),
  raw('a length in base 16', `${post}${length('0xb')}\r\n${small}`),
  raw('a length with a blank', `${post}${length('1 1')}\r\n${small}`),
  raw('a length of 30 digits', `${post}${length('1'.repeat(30))}\r\n${small}`),
  raw('a negative length', `${post}${length(-1)}\r\n${small}`),
  raw('a length that is a word', `${post}${length('abc')}\r\n${small}`),
  raw('an empty length', `${post}${length('')}\r\n${small}`, { ends: true }),
  raw('an unknown coding', `${post}Transfer-Encoding: zz\r\n\r\n${inChunks}`, { alsoStatuses: [501] }),
  raw('chunked twice', `${post}${chunked}${chunked}\r\n${inChunks}`, { alsoStatuses: [501] }),
  raw('another coding, then chunked', `${post}Transfer-Encoding: gzip, chunked\r\n\r\n${inChunks}`, {
    alsoStatuses: [501],
  }),
  raw('chunked, then another coding', `${post}Transfer-Encoding: chunked, identity\r\n\r\n${inChunks}`, {
    alsoStatuses: [501],
  }),
  raw('chunked with a tab before it', `${post}Transfer-Encoding:\tchunked\r\n${closing}\r\n${inChunks}`),
  raw('chunked with a form feed', `${post}Transfer-Encoding: \u000bchunked\r\n${length(5)}\r\n${inChunks}`, {
    alsoStatuses: [501],
  }),
  raw('chunked in quotes', `${post}Transfer-Encoding: "chunked"\r\n${length(5)}\r\n${inChunks}`, {
    alsoStatuses: [501],
  }),
  raw(
    'chunked with a blank before the colon',
    `${post}Transfer-Encoding : chunked\r\n${length(5)}\r\n${inChunks}`,
  ),
  raw('chunks in HTTP/1.0', `${post.replace('HTTP/1.1', 'HTTP/1.0')}${chunked}\r\n${inChunks}`),
  raw(
    'a read with a body that is a request',
    `${get}${bearer}${length(hidden.length)}${closing}\r\n${hidden}`,
    {
      expects: 'open',
    },
  ),
];

/** Malformed chunks. */
const chunks: readonly RawSequence[] = [
  raw('a chunk size that is a word', `${post}${chunked}\r\nzz\r\n${small}\r\n0\r\n\r\n`),
  raw('a chunk size with a sign', `${post}${chunked}\r\n+b\r\n${small}\r\n0\r\n\r\n`),
  raw('a chunk size of 20 digits', `${post}${chunked}\r\n${'f'.repeat(20)}\r\n${small}\r\n0\r\n\r\n`),
  raw('a negative chunk', `${post}${chunked}\r\n-1\r\n${small}\r\n0\r\n\r\n`),
  raw('a chunk size in base 16 with its mark', `${post}${chunked}\r\n0xb\r\n${small}\r\n0\r\n\r\n`),
  raw('a chunk longer than its size', `${post}${chunked}\r\n2\r\n${small}\r\n0\r\n\r\n`),
  raw('a chunk shorter than its size', `${post}${chunked}\r\nff\r\n${small}\r\n0\r\n\r\n`, { ends: true }),
  raw('no last chunk', `${post}${chunked}\r\nb\r\n${small}\r\n`, { ends: true }),
  raw('an extension of 100 kB', `${post}${chunked}\r\nb;e=${'x'.repeat(100_000)}\r\n${small}\r\n0\r\n\r\n`),
  raw('an extension without a name', `${post}${chunked}${closing}\r\nb;=;;\r\n${small}\r\n0\r\n\r\n`),
  raw(
    'a trailer that sets the length',
    `${post}${chunked}${closing}\r\nb\r\n${small}\r\n0\r\nContent-Length: 5\r\n\r\n`,
  ),
  raw(
    'trailers of 100 kB',
    `${post}${chunked}\r\nb\r\n${small}\r\n0\r\nX-Sea: ${'x'.repeat(100_000)}\r\n\r\n`,
  ),
  raw(
    'ten thousand chunks of one byte',
    `${post}${chunked}${closing}\r\n${'1\r\n \r\n'.repeat(10_000)}b\r\n${small}\r\n0\r\n\r\n`,
  ),
  raw('line feeds between chunks', `${post}${chunked}\r\nb\n${small}\n0\n\n`, { ends: true }),
];

/** Bodies that end too early or too late. */
const bodies: readonly RawSequence[] = [
  raw('a body shorter than its length', `${post}${length(500)}\r\n${small}`, { ends: true }),
  raw('no body despite its length', `${post}${length(11)}\r\n`, { ends: true }),
  raw('a body without a length', `${post}\r\n${small}`, { most: 2 }),
  raw('a head that ends in the middle', `${post}Content-Le`, { ends: true }),
  raw('nothing at all', '', { ends: true }),
  raw('a length of 10 GB', `${post}${length(10_000_000_000)}\r\n${small}`),
];

export const framingSequences: readonly RawSequence[] = [...smuggling, ...chunks, ...bodies];
