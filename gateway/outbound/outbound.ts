import type { buildConnector } from 'undici';

/** Which URLs are meant: those that events go to, or those of files that an upstream has made. */
export type OutboundKind = 'webhook' | 'file';

/** The way to hosts that somebody else names. It leads to public addresses only, whatever a name stands for by then. */
export interface Outbound {
  /** Why nobody connects to this URL, as far as its text tells; null when nothing speaks against it. */
  refuse(url: string, kind: OutboundKind): string | null;
  /**
   * Connects to what a URL names that `refuse` had nothing against. Fails with a `Blocked` before anything is sent when one
   * of the addresses of the host is no public one. Has no deadline of its own.
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
