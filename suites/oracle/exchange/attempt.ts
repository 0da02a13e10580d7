/** A request as an upstream got it, and what it answered. Times are ms by one clock of the reader's choice. */
export interface Attempt {
  readonly channel: string;
  readonly path: string;
  readonly body: Buffer;
  /** Whether request and answer are here to their last byte. */
  readonly isWhole: boolean;
  readonly receivedMs: number;
  readonly status: number | null;
  readonly answer: Buffer;
  /** How its answer ended: whole, cut off by the upstream, left by the gateway, or not yet. */
  readonly ended: 'open' | 'complete' | 'cut' | 'client-gone';
  /** When the pieces of the answer's body were sent, and how many bytes of it had been sent by then. */
  readonly sends: readonly { readonly atMs: number; readonly bytesSoFar: number }[];
}
