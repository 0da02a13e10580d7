/** One step of a program over a connection. Bytes are raw: heads, lengths and chunk sizes are among them. */
export type Step =
  | {
      readonly do: 'write';
      readonly label: string;
      readonly bytes: Buffer;
      /** The earliest time for this step, ms after the reply began. */
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
 * How a request over HTTP/2 ends while other requests on the connection may continue. The stream is refused before any work,
 * reset or cancelled. With GOAWAY the connection ends, and this request is either its last or not served.
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
