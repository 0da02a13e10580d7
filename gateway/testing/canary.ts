import { type AddressInfo, createServer, isIP } from 'node:net';
import { buildConnector } from 'undici';
import type { Dial } from '../outbound/guarded-connector.ts';
import { isPublicAddress } from '../outbound/public-address.ts';

/** A listener on every address of this machine that must never be reached. */
export interface Canary {
  readonly port: number;
  /** Number of connections it has received. */
  readonly connections: () => number;
  close(): Promise<void>;
}

export async function startCanary(): Promise<Canary> {
  let seen = 0;
  const server = createServer((socket) => {
    seen += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    connections: () => seen,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** A `dial` that connects to a local listener instead of any host on the public internet. */
export interface FakeInternet {
  readonly dial: Dial;
  /** The public addresses that were connected to; for a host name, all of its addresses. */
  readonly reached: string[];
}

/**
 * Connections to private addresses are real, so that a canary detects them. `ca` (PEM) signs the certificates of the hosts.
 */
export function fakeInternet(port: number, ca?: string): FakeInternet {
  const reached: string[] = [];
  const dial: Dial = (lookup) => {
    const local = buildConnector({ timeout: 0, allowH2: false, ...(ca !== undefined && { ca }) });
    const connect: buildConnector.connector = (options, callback) => {
      const reach = (addresses: readonly string[]): void => {
        const wrong = addresses.find((address) => !isPublicAddress(address));
        if (wrong === undefined) reached.push(...addresses);
        const to = wrong === undefined ? { hostname: '127.0.0.1', port: String(port) } : { hostname: wrong };
        local({ ...options, ...to }, callback);
      };
      if (isIP(options.hostname) !== 0) return reach([options.hostname]);
      lookup(options.hostname, { all: true }, (error, found) => {
        if (error !== null) callback(error, null);
        else reach(Array.isArray(found) ? found.map(({ address }) => address) : [found]);
      });
    };
    return connect;
  };
  return { dial, reached };
}
