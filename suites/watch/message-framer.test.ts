import { describe, expect, it } from 'vitest';
import { HostField } from './host-field.ts';
import { declaredForm, MessageFramer } from './message-framer.ts';

/** The reports of a framer about bytes that come in pieces of this size. */
function follow(text: string, size: number): { seen: string[]; isLost: boolean; isIdle: boolean } {
  const seen: string[] = [];
  let body = '';
  const framer = new MessageFramer({
    head: (head) => {
      seen.push(head.startLine);
      body = '';
      return declaredForm(head);
    },
    body: (bytes) => {
      body += bytes.toString('latin1');
    },
    end: () => void seen.push(`body ${JSON.stringify(body)}`),
  });
  const bytes = Buffer.from(text, 'latin1');
  for (let at = 0; at < bytes.length; at += size) framer.feed(bytes.subarray(at, at + size));
  return { seen, isLost: framer.isLost, isIdle: framer.isIdle };
}

const counted = 'POST /a HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello';
const chunked =
  'POST /b HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nTrailer: x\r\n\r\n';
const bare = 'GET /c HTTP/1.1\r\nHost: h\r\n\r\n';

describe('a framer', () => {
  it.each([1, 2, 7, 1_000])('follows messages one after the other, in pieces of %d bytes', (size) => {
    expect(follow(counted + chunked + bare, size)).toEqual({
      seen: [
        'POST /a HTTP/1.1',
        'body "hello"',
        'POST /b HTTP/1.1',
        'body "abcde"',
        'GET /c HTTP/1.1',
        'body ""',
      ],
      isLost: false,
      isIdle: true,
    });
  });

  it.each([
    [
      'lengths that contradict each other',
      'POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a chunk whose size is none', 'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n'],
    [
      'a chunk that is longer than it says',
      'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n',
    ],
    ['a line that is no field', 'GET / HTTP/1.1\r\nno field\r\n\r\n'],
    ['a head without end', 'x'.repeat(300_000)],
  ])('stops at %s', (_, text) => {
    expect(follow(text, 1_000).isLost).toBe(true);
  });
});

describe('the Host field', () => {
  const through = (text: string, size: number): string => {
    const host = new HostField('gw.example');
    const parts: Buffer[] = [];
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += size) parts.push(host.pass(bytes.subarray(at, at + size)));
    return Buffer.concat([...parts, host.flush()]).toString();
  };

  it.each([1, 3, 1_000])('is the only replaced field, in pieces of %d bytes', (size) => {
    const head = 'GET / HTTP/1.1\r\nhOsT: 127.0.0.1:1\r\nX-Host: h\r\nHo: x\r\n\r\n';
    expect(through(head, size)).toBe('GET / HTTP/1.1\r\nhOsT: gw.example\r\nX-Host: h\r\nHo: x\r\n\r\n');
  });

  it('holds back only bytes that may become its line', () => {
    const host = new HostField('gw.example');
    expect(host.pass(Buffer.from('GET / HTTP/1.1\r\nAcc')).toString()).toBe('GET / HTTP/1.1\r\nAcc');
    expect(host.pass(Buffer.from('ept: x\r\nHo')).toString()).toBe('ept: x\r\n');
    expect(host.flush().toString()).toBe('Ho');
  });
});
