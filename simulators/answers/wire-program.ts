/** One thing done to a connection. Bytes are those of the wire: heads, lengths and chunk sizes are among them. */
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
 * How a connection ends: with FIN, with RST, with FIN of our half while we read on, or not at all: then it stands
 * still until the client leaves or the lane is reset.
 */
export const wireEnds = ['fin', 'rst', 'half-close', 'silence'] as const;
export type WireEnd = (typeof wireEnds)[number];
