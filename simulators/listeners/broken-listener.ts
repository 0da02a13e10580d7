/** The ways to an upstream that end before HTTP begins. */
export const doorKinds = [
  'refused',
  'blackhole',
  'nameless',
  'tls-self-signed',
  'tls-expired',
  'tls-wrong-host',
  'tls-stall',
] as const;
export type DoorKind = (typeof doorKinds)[number];

/** An address behind which something is wrong, as long as it is open. */
export interface Door {
  /** Scheme, host and port: what a base URL begins with. */
  readonly origin: string;
  close(): Promise<void>;
}
