import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** The upstream that recorded requests go to. */
export interface Upstream {
  /** Scheme, host and port, without a path. */
  readonly origin: string;
  /** For the `host` header. */
  readonly host: string;
  /** Prefix of every request target; empty, or without a trailing slash. */
  readonly pathPrefix: string;
  /** `event` is the socket's event after which requests can be sent. */
  connect(): { readonly socket: Socket; readonly event: 'connect' | 'secureConnect' };
}

/**
 * Parses a URL given by a user. `ca` replaces the trusted authorities of this machine.
 * @throws Error with one sentence that states the mistake.
 */
export function parseUpstream(given: string, ca?: string): Upstream {
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Error(`"${given}" is not an http or https address`);
  if (url.username !== '' || url.password !== '') throw new Error('remove user and password from the URL');
  if (url.search !== '' || url.hash !== '') throw new Error('remove query and fragment from the URL');
  const isTls = url.protocol === 'https:';
  const port = Number(url.port) || (isTls ? 443 : 80);
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  // Half open: the upstream's FIN must not end our half.
  const options = { host: hostname, port, allowHalfOpen: true };
  // An IP address must not be sent as the server name of a TLS handshake.
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
