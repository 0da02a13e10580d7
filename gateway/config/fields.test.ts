import { describe, expect, it } from 'vitest';
import { cap, cidr, id, monthlyTokens } from './fields.ts';

describe('an address range', () => {
  it.for([
    '0.0.0.0/0',
    '10.0.0.0/8',
    '10.1.2.3/8',
    '203.0.113.7/32',
    '::/0',
    '2001:db8::/32',
    '::1/128',
    '::ffff:10.0.0.0/104',
  ])('may be %s', (text) => {
    expect(cidr.safeParse(text).success).toBe(true);
  });

  it.for([
    '',
    '/',
    '/8',
    '10.0.0.0',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0.0/8 ',
    '10.0.0.0/1e1',
    '10.0.0/8',
    '010.0.0.0/8',
    '::/129',
    'fe80::1%eth0/64',
    'localhost/8',
    8,
    null,
  ])('is not %j', (text) => {
    expect(cidr.safeParse(text).success).toBe(false);
  });
});

it('accepts ids that need no escaping in a path', () => {
  for (const text of ['a', 'A-1_b.c', 'x'.repeat(64)]) expect(id.safeParse(text).success).toBe(true);
  for (const text of ['', 'a/b', 'a b', 'ä', 'a%20', 'x'.repeat(65), 5])
    expect(id.safeParse(text).success).toBe(false);
});

it('accepts whole caps from one, and quotas from zero or none', () => {
  for (const number of [1, 3, 1_000_000]) expect(cap.safeParse(number).success).toBe(true);
  for (const number of [0, -1, 1.5, 1_000_001, '3', null]) expect(cap.safeParse(number).success).toBe(false);
  for (const number of [0, 1, 2 ** 53 - 1, null]) expect(monthlyTokens.safeParse(number).success).toBe(true);
  for (const number of [-1, 0.5, 2 ** 53, '3']) expect(monthlyTokens.safeParse(number).success).toBe(false);
});
