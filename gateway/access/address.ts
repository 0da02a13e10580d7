import { isIP, SocketAddress } from 'node:net';

/** An IP address in normal form. */
export interface Address {
  readonly text: string;
  readonly family: 'ipv4' | 'ipv6';
}

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/;

/**
 * The address in a text, without the zone of link-local addresses; null if the text is not an address. Dual-stack
 * sockets show IPv4 peers as IPv4-mapped IPv6 (`::ffff:10.0.0.1`, `::ffff:a00:1`); these become IPv4 addresses.
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
