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
  | { readonly do: 'end'; readonly by: WireEnd };

/**
 * How a connection ends: FIN, RST, FIN of our half while we read on, or silence.
 * A silent connection stays open until the client disconnects or the tenant is reset.
 */
export const wireEnds = ['fin', 'rst', 'half-close', 'silence'] as const;
export type WireEnd = (typeof wireEnds)[number];
