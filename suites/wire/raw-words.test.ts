import { describe, expect, it } from 'vitest';
import type { CarriedRequest, Translation } from '../profile/translation.ts';
import { rawWords } from './raw-words.ts';

/** Changes the path, the key's header and the model. */
const translation: Translation = {
  request: ({ path, headers, body, ...request }): CarriedRequest => ({
    ...request,
    path: path.replace('/api/v1', '/v1'),
    headers: headers.map(([name, value]) =>
      name === 'Authorization' ? ['X-Key', value.slice(7)] : [name, value],
    ),
    body: Buffer.from(body.toString('latin1').replace('delta-3', 'acme-delta'), 'latin1'),
  }),
  answer: (answer) => ({ ...answer, status: answer.status + 1 }),
  events: () => (event) => (event === null ? [] : [event.toUpperCase()]),
  streamHead: (head) => head,
};
const said = (pieces: readonly string[]) =>
  rawWords(
    translation,
    '/base',
    pieces.map((piece) => Buffer.from(piece, 'latin1')),
  ).pieces.map((piece) => piece.toString('latin1'));

const body = '{"model": "delta-3",  "n":1e0}';
const head = (path: string, length = body.length) =>
  `POST /base${path} HTTP/1.1\r\nHost:  h\r\nAuthorization: Bearer sk\r\ncontent-length: ${length}\r\nX-Odd : \x80`;

describe('raw bytes', () => {
  it('change only in path, headers, length and body', () => {
    expect(said([`${head('/api/v1/chat')}\r\n\r\n${body}`])).toEqual([
      `POST /base/v1/chat HTTP/1.1\r\nHost:  h\r\ncontent-length: ${body.length + 3}\r\nX-Odd : \x80\r\nX-Key: sk\r\n\r\n${body.replace('delta-3', 'acme-delta')}`,
    ]);
  });

  it('keep their pieces, and each of several requests is translated', () => {
    const [first, second] = [`${head('/api/v1/a')}\r\n\r\n${body}`, `${head('/api/v1/b')}\r\n\r\n${body}`];
    const pieces = [...(first + second)];
    const translated = said(pieces);
    expect(translated).toHaveLength(pieces.length);
    expect(translated.join('')).toBe(`${said([first])[0]}${said([second])[0]}`);
  });

  it.each([
    'nonsense',
    'GET /base/api/v1/models',
    `G\x00T /base/api/v1/models HTTP/1.1\r\n\r\n`,
    '\x16\x03\x01\x02',
    '',
  ])('that are not HTTP stay unchanged: %j', (bytes) => {
    expect(said([bytes])).toEqual([bytes]);
  });

  it('of a chunked body keep the chunk size', () => {
    const chunks = (text: string) =>
      `${text.replaceAll(/.{1,8}/g, (one) => `${one.length.toString(16)}\r\n${one}\r\n`)}0\r\n\r\n`;
    const sent = (text: string) =>
      `POST /api/v1/a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n${chunks(text)}`;
    const expected = sent(body.replace('delta-3', 'acme-delta')).replace('/api/v1', '/v1');
    expect(said([sent(body)])).toEqual([expected]);
  });

  it('of a head that never ends are translated as far as they go', () => {
    expect(said(['GET /base/api/v1/models HTTP/1.1\r\nHost: h\r\nX-Slow: '])).toEqual([
      'GET /base/v1/models HTTP/1.1\r\nHost: h\r\nX-Slow: ',
    ]);
  });

  it('have their answers translated into the specification’s names, unless these broke off', () => {
    const { read } = rawWords(translation, '', [Buffer.from('GET / HTTP/1.1\r\n\r\n')]);
    const answer = { status: 200, headers: [], body: Buffer.from('x'), complete: true };
    expect(read(answer).status).toBe(201);
    expect(read({ ...answer, complete: false }).status).toBe(200);
    const stream = { ...answer, headers: [['content-type', 'text/event-stream']] as const };
    const events = Buffer.from('data: a\r\n\r\ndata: b\n\ndata: c');
    expect(read({ ...stream, body: events }).body.toString()).toBe('DATA: A\r\n\r\nDATA: B\n\ndata: c');
  });
});
