import { expect, it } from 'vitest';
import { allowList } from './allow-list.ts';

it('allows every address when there are no ranges', () => {
  expect(allowList([])('203.0.113.9')).toBe(true);
});

it.for([
  [['10.1.2.0/24'], '10.1.2.0', true],
  [['10.1.2.0/24'], '10.1.2.255', true],
  [['10.1.2.0/24'], '10.1.1.255', false],
  [['10.1.2.0/24'], '10.1.3.0', false],
  [['10.1.2.3/32'], '10.1.2.3', true],
  [['10.1.2.3/32'], '10.1.2.4', false],
  [['0.0.0.0/0'], '203.0.113.9', true],
  [['10.0.0.0/8'], '::ffff:10.9.9.9', true],
  [['10.0.0.0/8'], '::ffff:11.9.9.9', false],
  [['2001:db8::/32'], '2001:db8:ffff::1', true],
  [['2001:db8::/32'], '2001:db9::1', false],
  [['2001:db8::/32', '10.0.0.0/8'], '10.0.0.1', true],
  [['2001:db8::/32'], '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff', false],
  [['2001:db8::7/128'], '2001:DB8:0:0::7', true],
  [['2001:db8::7/128'], '2001:db8::8', false],
  [['2001:db8::/32'], '::ffff:10.0.0.1', false],
  [['fe80::/10'], 'fe80::1%eth0', true],
  [['fe80::/10'], 'fec0::1', false],
  // IPv4-mapped IPv6 addresses: of the caller, of the range and of both.
  [['10.0.0.0/8'], '::ffff:a09:909', true],
  [['10.0.0.0/8'], '::ffff:b09:909', false],
  [['10.0.0.0/8'], '0:0:0:0:0:FFFF:0A09:0909', true],
  [['10.0.0.0/8'], '::10.9.9.9', false],
  [['127.0.0.1/32'], '::ffff:7f00:1', true],
  [['127.0.0.1/32'], '::ffff:7f00:2', false],
  [['::ffff:10.0.0.0/104'], '10.0.0.0', true],
  [['::ffff:10.0.0.0/104'], '10.255.255.255', true],
  [['::ffff:10.0.0.0/104'], '9.255.255.255', false],
  [['::ffff:10.0.0.0/104'], '11.0.0.0', false],
  [['::ffff:10.0.0.0/104'], '::ffff:10.1.2.3', true],
  [['::ffff:a01:203/128'], '10.1.2.3', true],
  [['::ffff:a01:203/128'], '10.1.2.4', false],
  [['::ffff:0:0/96'], '203.0.113.9', true],
  [['::ffff:0:0/96'], '2001:db8::1', false],
  [['0.0.0.0/0'], '2001:db8::1', false],
  [['::/0'], '2001:db8::1', true],
  [['10.0.0.0/8'], 'unknown', false],
  [['10.0.0.0/8'], '10.0.0.1:80', false],
  [['10.0.0.0/8'], '', false],
] as const)('with the ranges %j, allows %s: %s', ([ranges, address, allowed]) => {
  expect(allowList([...ranges])(address)).toBe(allowed);
});
