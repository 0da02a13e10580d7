import { BlockList } from 'node:net';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { expect, it } from 'vitest';
import { cloudHosts, globalIpv6, isPublicAddress, specialIpv4, specialIpv6 } from './public-address.ts';

/** The answer of an independent library that knows every special-purpose network. */
const oracle = (address: string): boolean => ipaddr.parse(address).range() === 'unicast';
const global = new BlockList();
global.addSubnet(...globalIpv6, 'ipv6');

const ipv4 = (number: bigint): string =>
  [24n, 16n, 8n, 0n].map((shift) => (number >> shift) & 255n).join('.');
const ipv6 = (number: bigint): string =>
  Array.from({ length: 8 }, (_, i) => ((number >> BigInt(112 - 16 * i)) & 0xffffn).toString(16)).join(':');
const numberOf = (address: string): bigint =>
  ipaddr
    .parse(address)
    .toByteArray()
    .reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);

/** The addresses around the beginning and the end of a network. */
function edges(network: string, bits: number, width: 32 | 128): string[] {
  const first = numberOf(network);
  const last = first + (1n << BigInt(width - bits)) - 1n;
  const max = (1n << BigInt(width)) - 1n;
  return [first - 1n, first, first + 1n, (first + last) / 2n, last - 1n, last, last + 1n]
    .filter((number) => number >= 0n && number <= max)
    .map(width === 32 ? ipv4 : ipv6);
}

/** Whether both agree on allocated addresses. Unallocated IPv6 addresses must not be public here. */
function agrees(address: string): boolean {
  if (address.includes(':') && !global.check(address, 'ipv6')) return !isPublicAddress(address);
  return isPublicAddress(address) === oracle(address);
}

const further = [
  ...['fc00::', 'fe80::', 'fec0::', 'ff00::', '64:ff9b::', '64:ff9b:1::', '100::', '5f00::', '4000::'],
  ...[
    '::',
    '::1',
    '::7f00:1',
    '::ffff:0:0',
    '::ffff:808:808',
    '::ffff:0:808:808',
    '2001:3::',
    '2001:4:112::',
  ],
  ...['2001:10::', '2001:20::', '2001:30::', '2001:1ff:ffff::', '2001:200::', '2620:4f:7fff:ffff::'],
];

it('rejects addresses of all special-purpose networks, as an independent library does', () => {
  const tried = [
    ...specialIpv4.flatMap(([network, bits]) => edges(network, bits, 32)),
    ...specialIpv6.flatMap(([network, bits]) => edges(network, bits, 128)),
    ...edges(...globalIpv6, 128),
    ...further,
  ];
  expect(tried.length).toBeGreaterThan(170);
  expect(tried.filter((address) => !agrees(address))).toEqual([]);
});

it('agrees with the library on one address of each IPv4 /16, and on each small network', () => {
  const faults: string[] = [];
  for (let block = 0; block < 2 ** 16; block += 1) {
    const address = `${block >> 8}.${block & 255}.${(block * 37) & 255}.7`;
    if (!agrees(address)) faults.push(address);
  }
  for (const begin of ['192.0', '192.31', '192.52', '192.88', '192.175', '198.51', '203.0'])
    for (let third = 0; third < 256; third += 1)
      if (!agrees(`${begin}.${third}.200`)) faults.push(`${begin}.${third}.200`);
  expect(faults).toEqual([]);
});

it('agrees with the library on random addresses', () => {
  const any4 = fc.bigInt(0n, 2n ** 32n - 1n).map(ipv4);
  const any6 = fc.bigInt(0n, 2n ** 128n - 1n).map(ipv6);
  const inGlobal = fc.bigInt(0n, 2n ** 125n - 1n).map((low) => ipv6((1n << 125n) | low));
  const near = fc
    .tuple(fc.constantFrom(...specialIpv6), fc.bigInt(0n, 2n ** 128n - 1n))
    .map(([[network, bits], low]) => ipv6(numberOf(network) ^ (low >> BigInt(Math.max(0, bits - 2)))));
  fc.assert(fc.property(fc.oneof(any4, any6, inGlobal, near), agrees), { numRuns: 3000 });
});

it('rejects addresses that only machines of a cloud can reach, but not their neighbours', () => {
  for (const address of cloudHosts)
    expect([isPublicAddress(address), oracle(address)]).toEqual([false, true]);
  for (const address of ['168.63.129.15', '168.63.129.17']) expect(isPublicAddress(address)).toBe(true);
});

it('rejects IPv4 addresses in IPv6 notation, even public ones', () => {
  const forms = [
    (a: string) => `::ffff:${a}`,
    (a: string) => `::${a}`,
    (a: string) => `64:ff9b::${a}`,
    (a: string) => `64:ff9b:1::${a}`,
    (a: string) => `::ffff:0:${a}`,
  ];
  for (const address of ['127.0.0.1', '10.0.0.1', '169.254.169.254', '8.8.8.8'])
    for (const form of forms) expect(isPublicAddress(form(address))).toBe(false);
  for (const address of ['2002:7f00:1::', '2002:808:808::', '2001::7f00:1'])
    expect(isPublicAddress(address)).toBe(false);
});

it.for(['', 'localhost', '8.8.8', '8.8.8.8:53', '2606:4700::1%eth0', '[2606:4700::1]', '08.8.8.8', 'x'])(
  'rejects %j, which is not an address',
  (text) => {
    expect(isPublicAddress(text)).toBe(false);
  },
);
