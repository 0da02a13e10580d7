import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** Where recorded requests go. */
export interface Upstream {
  /** Scheme, host and port; nothing of a path. */
  readonly origin: string;
  /** For the `host` header. */
  readonly host: string;
  /** Stands before the target of every request; empty, or without a slash at its end. */
  readonly pathPrefix: string;
  /** `event` of the socket tells that requests can be sent. */
  connect(): { readonly socket: Socket; readonly event: 'connect' | 'secureConnect' };
}

/**
 * Reads an address given by a person. `ca` stands in for the authorities that this machine trusts.
 * @throws Error with one sentence that says what is wrong.
 */
export function parseUpstream(given: string, ca?: string): Upstream {
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Error(`"${given}" is not an http or https address`);
  if (url.username !== '' || url.password !== '') throw new Error('an upstream takes no user and password');
  if (url.search !== '' || url.hash !== '') throw new Error('an upstream takes no query and no fragment');
  const isTls = url.protocol === 'https:';
  const port = Number(url.port) || (isTls ? 443 : 80);
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  // Half open, so that the end of the upstream's half does not end ours.
  const options = { host: hostname, port, allowHalfOpen: true };
  // A name that is an address has no place in the handshake.
  const servername = isIP(hostname) === 0 ? { servername: hostname } : {};
  const tlsOptions = { ...servername, ...(ca === undefined ? {} : { ca }) };
  return {
    origin: url.origin,
    host: url.host,
    pathPrefix: url.pathname.replace(/\/+$/, ''),
    connect: () =>
      isTls
        ? { socket: connectTls({ ...options, ...tlsOptions }), event: 'secureConnect' }
        : { socket: connectPlain(options), event: 'connect' },
  };
}
