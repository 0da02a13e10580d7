/** One step of a program over a connection. Bytes are raw: heads, lengths and chunk sizes are among them. */
export type Step =
  | {
      readonly do: 'write';
      readonly label: string;
      readonly bytes: Buffer;
      /** Not before this time, ms after the reply began. */
      readonly dueMs: number;
    }
  | { readonly do: 'wait'; readonly untilMs: number }
  | { readonly do: 'end'; readonly by: ConnectionEnd };

/**
 * How a connection ends: FIN, RST, FIN of our half while we read on, or silence.
 * A silent connection stays open until the client disconnects or the tenant is reset.
 */
export const wireEnds = ['fin', 'rst', 'half-close', 'silence'] as const;
export type WireEnd = (typeof wireEnds)[number];

/**
 * What ends a request over HTTP/2 while others of the connection may go on: it is refused before anything was done, reset,
 * cancelled; or the connection goes away, having served this request last or not having served it.
 */
export const http2Ends = [
  'refuse-stream',
  'reset-stream',
  'cancel-stream',
  'goaway',
  'goaway-unprocessed',
] as const;
export type Http2End = (typeof http2Ends)[number];

export type ConnectionEnd = WireEnd | Http2End;
