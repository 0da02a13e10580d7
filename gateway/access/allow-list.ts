import { BlockList, isIP } from 'node:net';
import { addressIn } from './address.ts';

/** Returns a test whether an address is in one of the CIDR ranges. An empty list allows every address. */
export function allowList(ranges: readonly string[]): (address: string) => boolean {
  if (ranges.length === 0) return () => true;
  return addressesIn(ranges);
}

/**
 * Returns a test whether an address is in one of the CIDR ranges; a text that is not an address is in none. An
 * IPv4 address also matches IPv6 ranges that contain its IPv4-mapped form. So `::ffff:0:0/96` holds every IPv4
 * address, and `::ffff:10.0.0.0/104` holds 10.0.0.0/8.
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
