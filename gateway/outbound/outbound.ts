import type { buildConnector } from 'undici';

/** Which URLs are meant: those that events go to, or those of files that an upstream has made. */
export type OutboundKind = 'webhook' | 'file';

/** The way to hosts that somebody else names. It leads to public addresses only, whatever a name stands for by then. */
export interface Outbound {
  /**
   * Why nobody connects to this URL, as far as its text tells, in words that follow the name of its field (`must be …`);
   * null when nothing speaks against it.
   */
  refuse(url: string, kind: OutboundKind): string | null;
  /**
   * Connects to what a URL names that `refuse` had nothing against. Fails before anything is sent: with a `Blocked` when one
   * of the addresses of the host is no public one, with an `Unresolved` when it has none. Has no deadline of its own; the
   * socket that it returns, like every connector of undici does, can be destroyed meanwhile.
   */
  readonly connect: buildConnector.connector;
}

/** Nothing was connected to: the URL leads where no caller may lead us. */
export class Blocked extends Error {
  readonly code = 'GATEWAY_BLOCKED';
  constructor() {
    super('the address is none that anybody can reach');
    this.name = 'Blocked';
  }
}

/** Nothing was connected to: nobody knows an address of the host. */
export class Unresolved extends Error {
  readonly code = 'GATEWAY_UNRESOLVED';
  constructor() {
    super('the host has no address');
    this.name = 'Unresolved';
  }
}
