import { describe, expect, it } from 'vitest';
import { readAnswers } from './raw-answers.ts';

const read = (text: string, closed = false): unknown[] =>
  readAnswers(Buffer.from(text), closed).map(({ status, body, complete }) => [
    status,
    body.toString(),
    complete,
  ]);

describe('readAnswers', () => {
  it('reads consecutive answers with a length or in chunks', () => {
    const first = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi';
    const second =
      'HTTP/1.1 400 Bad Request\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n1\r\nd\r\n0\r\n\r\n';
    expect(read(first + second)).toEqual([
      [200, 'hi', true],
      [400, 'abcd', true],
    ]);
  });

  it('skips interim answers', () => {
    expect(read('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n')).toEqual([[204, '', true]]);
  });

  it('reports a truncated answer', () => {
    expect(read('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhi', true)).toEqual([[200, 'hi', false]]);
    expect(read('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhi', true)).toEqual([
      [200, '', false],
    ]);
  });

  it('treats a body without a length as complete once the peer has closed the connection', () => {
    expect(read('HTTP/1.0 400 Bad\r\n\r\noops')).toEqual([[400, 'oops', false]]);
    expect(read('HTTP/1.0 400 Bad\r\n\r\noops', true)).toEqual([[400, 'oops', true]]);
  });

  it('finds no answer in other bytes', () => {
    expect(read('<html>bad request</html>', true)).toEqual([]);
    expect(read('SSH-2.0-x\r\n\r\n', true)).toEqual([]);
  });
});
