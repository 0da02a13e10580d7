import { isIP, type LookupFunction } from 'node:net';
import type { buildConnector } from 'undici';
import { isForbiddenPort } from './forbidden-ports.ts';
import { type HostPort, hostPortOf, hostPortText } from './host-port.ts';
import { Blocked, Unresolved } from './outbound.ts';
import type { Resolve } from './resolve.ts';

/** Makes connections only to the addresses that the lookup returns. */
export type Dial = (lookup: LookupFunction) => buildConnector.connector;

export interface GuardDeps {
  readonly allowed: ReadonlySet<string>;
  /** Whether URLs may point to an address. */
  readonly isOpen: (address: string) => boolean;
  readonly resolve: Resolve;
  readonly dial: Dial;
}

/**
 * Connects to public addresses and to allowed hosts. A name is resolved once per connection, and the connection
 * uses that result. So changing the name's addresses between check and connection has no effect.
 */
export function guardedConnector({ allowed, isOpen, resolve, dial }: GuardDeps): buildConnector.connector {
  const toPublic = dial(lookupBy(resolve, isOpen));
  const toAllowed = dial(lookupBy(resolve, () => true));
  return (options, callback) => {
    const place = hostPortOf(options);
    if (allowed.has(hostPortText(place))) return toAllowed(options, callback);
    if (!leadsOut(place, isOpen) || options.socketPath || options.httpSocket !== undefined) {
      queueMicrotask(() => callback(new Blocked(), null));
      return;
    }
    return toPublic(options, callback);
  };
}

/** A literal address is never looked up, so it must be checked here. */
function leadsOut({ host, port }: HostPort, isOpen: GuardDeps['isOpen']): boolean {
  return !isForbiddenPort(port) && (isIP(host) === 0 || isOpen(host));
}

/** A lookup that fails when any address is forbidden: a mix of both kinds suggests an attack. */
function lookupBy(resolve: Resolve, isTaken: (address: string) => boolean): LookupFunction {
  return (name, { all }, callback) => {
    resolve(name).then(
      (found) => {
        const addresses = found.map((address) => ({ address, family: isIP(address) }));
        const [first] = addresses;
        if (first === undefined) callback(new Unresolved(), []);
        else if (!addresses.every(({ address, family }) => family !== 0 && isTaken(address)))
          callback(new Blocked(), []);
        else if (all === true) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      () => callback(new Unresolved(), []),
    );
  };
}
