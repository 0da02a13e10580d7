import { BlockList, isIP } from 'node:net';

/** Decides whether an address lies in one of the CIDR ranges. An empty list lets everybody in. */
export function allowList(ranges: readonly string[]): (address: string) => boolean {
  if (ranges.length === 0) return () => true;
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits = ''] = range.split('/');
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return (address) => {
    // A dual-stack socket shows IPv4 peers as ::ffff:a.b.c.d, and link-local ones with their interface.
    const bare = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
    const family = isIP(bare);
    return family !== 0 && list.check(bare, family === 6 ? 'ipv6' : 'ipv4');
  };
}
