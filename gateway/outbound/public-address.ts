import { BlockList, isIP } from 'node:net';

/** IPv4 networks without public hosts (from the special-purpose address registry). */
export const specialIpv4 = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // shared between a provider and its customers
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local, where clouds serve credentials
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocols
  ['192.0.2.0', 24], // examples
  ['192.31.196.0', 24], // AS112
  ['192.52.193.0', 24], // AMT
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['192.175.48.0', 24], // AS112
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // examples
  ['203.0.113.0', 24], // examples
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, and broadcast
] as const;

/**
 * The only IPv6 network with public host addresses. Addresses that embed an IPv4 address lie outside: mapped
 * (::ffff:0:0/96), compatible (::/96), translated (64:ff9b::/96, 64:ff9b:1::/48).
 */
export const globalIpv6 = ['2000::', 3] as const;

/** Networks inside it that are not public. */
export const specialIpv6 = [
  ['2001::', 23], // protocols: Teredo, benchmarks, AMT, AS112, ORCHID
  ['2001:db8::', 32], // examples
  ['2002::', 16], // 6to4, which embeds an IPv4 address
  ['2620:4f:8000::', 48], // AS112
  ['3fff::', 20], // examples
] as const;

/** Public addresses that lead to a cloud's management service, but only from machines of that cloud. */
export const cloudHosts = ['168.63.129.16'] as const;

const special = new BlockList();
for (const address of cloudHosts) special.addAddress(address, 'ipv4');
for (const [network, bits] of specialIpv4) special.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of specialIpv6) special.addSubnet(network, bits, 'ipv6');
const global = new BlockList();
global.addSubnet(...globalIpv6, 'ipv6');

/** Makes a test for public addresses outside these networks (CIDR ranges). */
export function publicOutside(networks: readonly string[]): (address: string) => boolean {
  const own = new BlockList();
  for (const network of networks) {
    const [address = '', bits = ''] = network.split('/');
    own.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return (address) => isPublicAddress(address) && !own.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** Whether a host of the public internet can have this address. False for what is not an address. */
export function isPublicAddress(address: string): boolean {
  // An address with a zone is valid on one link only.
  if (address.includes('%')) return false;
  switch (isIP(address)) {
    case 4:
      return !special.check(address, 'ipv4');
    case 6:
      return global.check(address, 'ipv6') && !special.check(address, 'ipv6');
    default:
      return false;
  }
}
