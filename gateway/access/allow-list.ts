import { BlockList, isIP } from 'node:net';
import { addressIn } from './address.ts';

/** Decides whether an address lies in one of the CIDR ranges. An empty list lets everybody in. */
export function allowList(ranges: readonly string[]): (address: string) => boolean {
  if (ranges.length === 0) return () => true;
  return addressesIn(ranges);
}

/**
 * Decides whether an address lies in one of the CIDR ranges; what is no address lies in none. IPv4 addresses lie also in
 * the IPv6 ranges that hold them in IPv6 clothes: all of them in `::ffff:0:0/96`, those of 10.0.0.0/8 in `::ffff:10.0.0.0/104`.
 */
export function addressesIn(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits = ''] = range.split('/');
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return (text) => {
    const address = addressIn(text);
    return address !== null && list.check(address.text, address.family);
  };
}
