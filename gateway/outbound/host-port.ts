import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';

/** The target of a connection: an address or a name as in URLs, but IPv6 without brackets. */
export interface HostPort {
  readonly host: string;
  readonly port: number;
}

/** The parts of a URL, or of undici's connection options. */
interface Named {
  readonly protocol: string;
  readonly hostname: string;
  /** Empty for the protocol's default port. */
  readonly port: string;
}

export function hostPortOf({ protocol, hostname, port }: Named): HostPort {
  const usual = protocol === 'https:' ? 443 : 80;
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? usual : Number(port) };
}

/** As the configuration writes it: `127.0.0.1:8443`, `[::1]:8443`, `hooks.test:443`. */
export function hostPortText({ host, port }: HostPort): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

/** Names that mean something only on this machine or in its network. */
const local = ['localhost', 'local', 'internal'];
const labelPattern = /^[a-z0-9_-]{1,63}$/;
const maxName = 253;

/** Whether a host may be public, judged by its text alone; names are resolved only when connecting. */
export function mayBePublic(host: string, isOpen: (address: string) => boolean = isPublicAddress): boolean {
  if (isIP(host) !== 0) return isOpen(host);
  const name = host.replace(/\.$/, '');
  const labels = name.split('.');
  return (
    name.length <= maxName &&
    labels.length > 1 &&
    labels.every((label) => labelPattern.test(label)) &&
    !local.includes(labels.at(-1) ?? '')
  );
}
