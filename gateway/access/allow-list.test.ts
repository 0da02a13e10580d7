import { expect, it } from 'vitest';
import { allowList } from './allow-list.ts';

it('lets everybody in without ranges', () => {
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
  [['fe80::/10'], 'fe80::1%eth0', true],
  [['10.0.0.0/8'], '', false],
] as const)('decides %j against %s as %s', ([ranges, address, allowed]) => {
  expect(allowList([...ranges])(address)).toBe(allowed);
});
