import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callerAddress } from './caller-address.ts';

const proxies = ['10.0.0.0/8', 'fd00::/8', '127.0.0.1/32'];

it.for([
  ['10.0.0.1', '203.0.113.9', '10.0.0.1'],
  ['203.0.113.7', '198.51.100.1', '203.0.113.7'],
  ['::ffff:10.0.0.1', '203.0.113.9', '10.0.0.1'],
  ['fe80::1%eth0', undefined, 'fe80::1'],
] as const)('is the address of the peer %s when no proxy is trusted', ([peer, header, address]) => {
  expect(callerAddress([])(peer, header)).toBe(address);
});

it.for([
  // The header of an untrusted peer is ignored.
  ['203.0.113.7', '198.51.100.1', '203.0.113.7'],
  ['203.0.113.7', '10.0.0.2, 198.51.100.1', '203.0.113.7'],
  ['11.0.0.1', '198.51.100.1', '11.0.0.1'],
  ['9.255.255.255', '198.51.100.1', '9.255.255.255'],
  // A trusted peer names the caller: the last entry that is not itself trusted.
  ['10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['10.0.0.1', '  198.51.100.1  ', '198.51.100.1'],
  ['10.0.0.1', '1.1.1.1, 198.51.100.1', '198.51.100.1'],
  ['10.0.0.1', '127.0.0.1, 198.51.100.1', '198.51.100.1'],
  ['10.0.0.1', '1.1.1.1, 198.51.100.1, 10.9.9.9', '198.51.100.1'],
  ['10.0.0.1', '1.1.1.1,198.51.100.1,fd00::7,10.9.9.9', '198.51.100.1'],
  ['10.0.0.1', 'nonsense, 198.51.100.1', '198.51.100.1'],
  // Only trusted proxies: the first entry counts.
  ['10.0.0.1', undefined, '10.0.0.1'],
  ['10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  // IPv6 in all its notations.
  ['fd00::1', '2001:db8::7', '2001:db8::7'],
  ['fd00::1', '2001:DB8:0::0007', '2001:db8::7'],
  ['fe00::1', '2001:db8::7', 'fe00::1'],
  ['::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['::ffff:a00:1', '198.51.100.1', '198.51.100.1'],
  ['::ffff:11.0.0.1', '198.51.100.1', '11.0.0.1'],
  ['10.0.0.1', '::ffff:198.51.100.1', '198.51.100.1'],
  ['10.0.0.1', '198.51.100.1, ::ffff:a09:909', '198.51.100.1'],
  ['fd00::1%eth0', '198.51.100.1', '198.51.100.1'],
  ['10.0.0.1', 'fe80::1%eth1', 'fe80::1'],
] as const)('for peer %s with header %j is %s', ([peer, header, address]) => {
  expect(callerAddress(proxies)(peer, header)).toBe(address);
});

it.for([
  '',
  ',',
  'unknown',
  '_hidden',
  '198.51.100.1,',
  '198.51.100.1:443',
  '[2001:db8::7]',
  '[2001:db8::7]:443',
  '"198.51.100.1"',
  '198.51.100',
  '198.51.100.256',
  '0198.51.100.1',
  '3325256705',
  '198.51.100.1/32',
  'for=198.51.100.1',
  '198.51.100.1 198.51.100.2',
  '198.51.100.1, unknown, 10.0.0.2',
])('is unknown when a trusted proxy writes %j', (header) => {
  expect(callerAddress(proxies)('10.0.0.1', header)).toBe('');
});

describe('a caller behind proxies', () => {
  it('keeps its address whatever it writes into the header itself', () => {
    const proxy = fc.constantFrom('10.0.0.2', 'fd00::9', '::ffff:10.1.1.1');
    const spoof = fc.oneof(fc.ipV4(), fc.ipV6(), fc.string({ maxLength: 30 }), fc.constant('10.0.0.1'));
    const caller = fc.ipV4().filter((address) => !/^(?:10|127)\./.test(address));
    fc.assert(
      fc.property(fc.array(spoof), caller, fc.array(proxy, { maxLength: 3 }), (before, real, after) => {
        expect(callerAddress(proxies)('10.0.0.1', [...before, real, ...after].join(', '))).toBe(real);
        expect(callerAddress(proxies)('192.0.2.1', [...before, real, ...after].join(', '))).toBe('192.0.2.1');
      }),
    );
  });
});
