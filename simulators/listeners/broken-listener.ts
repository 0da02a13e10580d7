/** The ways to an upstream that end before HTTP begins. */
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

/** An address behind which something is wrong, as long as it is open. */
export interface BrokenListener {
  /** Scheme, host and port: what a base URL begins with. */
  readonly origin: string;
  close(): Promise<void>;
}
