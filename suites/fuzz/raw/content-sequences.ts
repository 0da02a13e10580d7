import { closing, goodGet, post, posted, type RawSequence, raw, small } from './raw-sequence.ts';

const said = (content: string | Buffer): Buffer =>
  Buffer.concat([
    Buffer.from('{"model":5,"messages":[{"role":"user","content":"a'),
    Buffer.from(content as string),
    Buffer.from('"}]}'),
  ]);

/** Bodies whose bytes are not JSON, or not text. */
const contents: readonly RawSequence[] = [
  raw('a byte order mark', posted(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(small)]))),
  raw(
    'UTF-16 with its mark',
    posted(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(small, 'utf16le')])),
  ),
  raw('UTF-32', posted(Buffer.from([...small].flatMap((letter) => [0, 0, 0, letter.charCodeAt(0)])))),
  raw('a byte that UTF-8 never has', posted(said(Buffer.from([0xff])))),
  raw('an overlong encoding', posted(said(Buffer.from([0xc0, 0xaf])))),
  raw('a surrogate in UTF-8', posted(said(Buffer.from([0xed, 0xa0, 0x80])))),
  raw('a character cut in half', posted(said(Buffer.from([0xe2, 0x82])))),
  raw('a raw NUL in a text', posted(said(Buffer.from([0])))),
  raw('NULs alone', posted(Buffer.alloc(64))),
  raw('random bytes', posted(Buffer.from([...Array(512).keys()].map((at) => (at * 167 + 13) % 256)))),
  raw('an image', posted(Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB', 'base64'))),
  raw('XML', posted('<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>')),
  raw('a form', posted('model=delta-3&messages=hi')),
  raw('YAML', posted('model: delta-3\nmessages: []\n')),
  raw('JSON lines', posted(`${small}\n${small}\n`)),
  raw('100,000 opening brackets', posted('['.repeat(100_000))),
  raw('100,000 opening braces', posted('{"a":'.repeat(20_000))),
  raw('a text that never ends', posted(`{"model":"${'m'.repeat(200_000)}`)),
  raw('a number that never ends', posted(`{"model":${'9'.repeat(200_000)}`)),
  raw(
    'gzip that breaks off',
    posted(Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xab]), 'Content-Encoding: gzip\r\n'),
  ),
  raw('a coding five times', posted(small, 'Content-Encoding: gzip, gzip, gzip, gzip, gzip\r\n')),
];

/** Other unusual uses of a connection. */
const connections: readonly RawSequence[] = [
  raw('a TLS greeting', Buffer.from('160301020001000001fc0303'.padEnd(400, '0'), 'hex'), { ends: true }),
  raw(
    'the preface of HTTP/2',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\u0000\u0000\u0000\u0004\u0000\u0000\u0000\u0000\u0000',
    { alsoStatuses: [505] },
  ),
  raw('an SSH greeting', 'SSH-2.0-OpenSSH_9.6\r\n', { ends: true }),
  raw('a mail greeting', 'EHLO sea.example\r\nMAIL FROM:<a@sea.example>\r\n', { ends: true }),
  raw('two requests at once', goodGet + goodGet, { most: 2, expects: 'open' }),
  raw('five requests at once', goodGet.repeat(5), { most: 5, expects: 'open' }),
  raw('garbage after a good request', `${goodGet}\u0000\u0001\u0002 garbage\r\n\r\n`, {
    most: 2,
    expects: 'open',
  }),
  raw('a broken request between good ones', `${goodGet}GET\r\n\r\n${goodGet}`, { most: 2, expects: 'open' }),
  raw(
    'a head in single bytes',
    [...`${post}${closing}Content-Length: 11\r\n\r\n`].map((one) => one).concat(small),
    { gapMs: 1 },
  ),
  raw('a body in single bytes', [`${post}${closing}Content-Length: 11\r\n\r\n`, ...small], { gapMs: 20 }),
  raw(
    'a head in two halves',
    [post.slice(0, 40), `${post.slice(40)}${closing}Content-Length: 11\r\n\r\n${small}`],
    { gapMs: 300 },
  ),
  raw('an end in the middle of a head', [post.slice(0, 30)], { ends: true }),
  raw(
    'a continuation that is not waited for',
    `${post}Expect: 100-continue\r\n${closing}Content-Length: 11\r\n\r\n${small}`,
  ),
];

export const contentSequences: readonly RawSequence[] = [...contents, ...connections];
