import type { buildConnector } from 'undici';

/** The purpose of a URL: webhook events go there, or an upstream's file is fetched from there. */
export type OutboundKind = 'webhook' | 'file';

/**
 * Connects to hosts that callers or upstreams name: public addresses only, whatever a name resolves to at that
 * time.
 */
export interface Outbound {
  /**
   * Why this URL may not be used, judged by its text, in words that follow the field's name (`must be …`). Null
   * when it may.
   */
  refuse(url: string, kind: OutboundKind): string | null;
  /**
   * Connects to a URL that `refuse` accepted. Fails before anything is sent: with a `Blocked` if any address of
   * the host is not public, with an `Unresolved` if there is none. It has no deadline of its own. Like every
   * undici connector it returns a socket, which can be destroyed meanwhile.
   */
  readonly connect: buildConnector.connector;
}

/** No connection was made: the URL leads to an address that callers may not reach through us. */
export class Blocked extends Error {
  readonly code = 'GATEWAY_BLOCKED';
  constructor() {
    super('the address is not publicly reachable');
    this.name = 'Blocked';
  }
}

/** No connection was made: the host has no known address. */
export class Unresolved extends Error {
  readonly code = 'GATEWAY_UNRESOLVED';
  constructor() {
    super('the host has no address');
    this.name = 'Unresolved';
  }
}
