/** The kinds of broken listeners: the connection fails before HTTP begins. */
export const brokenListenerKinds = [
  'refused',
  'blackhole',
  'nameless',
  'tls-self-signed',
  'tls-expired',
  'tls-wrong-host',
  'tls-stall',
] as const;
export type BrokenListenerKind = (typeof brokenListenerKinds)[number];

/** Where a broken listener listens: the address to bind to, the host name for others, and a port (0 for a free one). */
export interface Stand {
  readonly host: string;
  readonly name: string;
  readonly port: number;
}

/** An address with a broken transport, until it is closed. */
export interface BrokenListener {
  /** Scheme, host and port: the beginning of a base URL. */
  readonly origin: string;
  close(): Promise<void>;
}
