import { isIP, SocketAddress } from 'node:net';

/** An IP address in its one spelling. */
export interface Address {
  readonly text: string;
  readonly family: 'ipv4' | 'ipv6';
}

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/;

/**
 * The address that a text spells, without the interface that link-local ones carry; null when it spells none. An IPv4
 * address in IPv6 clothes (`::ffff:10.0.0.1`, `::ffff:a00:1`), as a dual-stack socket shows its peers, is the IPv4 address.
 */
export function addressIn(text: string): Address | null {
  const bare = text.replace(/%.*$/, '');
  switch (isIP(bare)) {
    case 4:
      return { text: bare, family: 'ipv4' };
    case 6: {
      const { address } = new SocketAddress({ address: bare, family: 'ipv6' });
      const [, inner] = mapped.exec(address) ?? [];
      return inner === undefined ? { text: address, family: 'ipv6' } : { text: inner, family: 'ipv4' };
    }
    default:
      return null;
  }
}
