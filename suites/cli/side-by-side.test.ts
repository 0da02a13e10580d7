import type { ReportedExchange } from 'gatecheck-reports/report';
import { describe, expect, it } from 'vitest';
import { alikeIn } from './same-exchange.ts';
import { differencesOf, sideBySide } from './side-by-side.ts';

function exchangeOf(
  body: string,
  more: {
    status?: number;
    headers?: [string, string][];
    sent?: string;
    label?: string;
    origin?: string;
  } = {},
): ReportedExchange {
  const { status = 200, headers = [], sent = '{}', label = 'call', origin = 'http://a' } = more;
  const url = `${origin}/api/v1/chat/completions`;
  return {
    label,
    request: { method: 'POST', url, headers: [['authorization', 'Bearer $GATECHECK_KEY']], body: sent },
    response: { status, headers, body, first_byte_ms: 1, end_ms: 2 },
    error: null,
  };
}

describe('two answers', () => {
  it('differ in status, members and headers, but not in headers that always differ', () => {
    const headers: [string, string][] = [
      ['Date', 'now'],
      ['Retry-After', '1'],
    ];
    const one = exchangeOf('{"error":{"code":"a","list":[1,2]},"b":null}', { status: 400 });
    const other = exchangeOf('{"error":{"code":"b","list":[1]},"b":null}', { headers });
    expect(differencesOf(one, other)).toEqual([
      ['status', '400', '200'],
      ['body.error.code', '"a"', '"b"'],
      ['body.error.list[1]', '2', null],
      ['header retry-after', null, '1'],
    ]);
  });

  it('differ by lines if they are not JSON, and by a missing answer', () => {
    expect(differencesOf(exchangeOf('a\nb'), exchangeOf('a\nc'))).toEqual([['line 2', 'b', 'c']]);
    const none = { ...exchangeOf(''), response: null, error: 'ECONNRESET' };
    expect(differencesOf(none, exchangeOf('{}'))).toContainEqual(['answer', 'none (ECONNRESET)', null]);
  });

  it('are shown in full after their differences, without control characters', () => {
    const text = sideBySide(
      { name: 'mine', exchange: exchangeOf('{"a":1}', { headers: [['via', '\u001b[31m']] }) },
      { name: 'the reference', exchange: exchangeOf('{"a":2}') },
    );
    expect(text.indexOf('body.a\n    mine: 1\n    the reference: 2')).toBeGreaterThan(0);
    expect(text).toContain('Answer of mine: HTTP 200');
    expect(text).not.toContain('\u001b');
  });

  it('do not differ when they are equal', () => {
    const one = { name: 'a', exchange: exchangeOf('{}') };
    expect(sideBySide(one, { ...one, name: 'b' })).toContain('The answers do not differ');
  });
});

describe('the same exchange in another run', () => {
  const [first, second] = [exchangeOf('1', { sent: 'x' }), exchangeOf('2', { sent: 'x' })];
  const others = ['1', '2', '3'].map((body) => exchangeOf(body, { sent: 'x', origin: 'http://b:1' }));

  it('has the same request, at the same position among equal ones', () => {
    expect(alikeIn(second, [first, second], others)?.response?.body).toBe('2');
    expect(alikeIn(second, null, others)?.response?.body).toBe('1');
  });

  it('else has the same purpose, or does not exist', () => {
    const drawnElse = exchangeOf('4', { sent: 'y' });
    expect(alikeIn(drawnElse, [], others)?.response?.body).toBe('1');
    expect(alikeIn(exchangeOf('', { label: 'other', sent: 'y' }), [], others)).toBeNull();
  });
});
