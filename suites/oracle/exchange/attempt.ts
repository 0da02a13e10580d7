/** A request as an upstream received it, with the upstream's answer. Times are Unix ms by our clock. */
export interface Attempt {
  readonly channel: string;
  readonly path: string;
  readonly body: Buffer;
  /** What the gateway identified itself by: `credentialIn` its request. */
  readonly credential: string;
  /** Whether request and answer are here to their last byte. */
  readonly isWhole: boolean;
  /** When it arrived: a range where a clock was moved just then. */
  readonly received: { readonly min: number; readonly max: number };
  readonly status: number | null;
  readonly answer: Buffer;
  /** How its answer ended: whole, cut off by the upstream, left by the gateway, or not yet. */
  readonly ended: 'open' | 'complete' | 'cut' | 'client-gone';
  /** When the pieces of the answer's body were sent, by the upstream's own clock, and how many bytes of it had been sent. */
  readonly sends: readonly { readonly atMs: number; readonly bytesSoFar: number }[];
}

/** The keys in the headers and in the query of a request, without their scheme; '' if there are none. */
export function credentialIn(headers: readonly (readonly [string, string])[], url: string): string {
  const inHeaders = headers.flatMap(([name, value]) =>
    /^(?:authorization|api-key|x-api-key|x-goog-api-key)$/i.test(name)
      ? [value.replace(/^bearer\b/i, '').trim()]
      : [],
  );
  const inQuery = new URLSearchParams(url.split('?')[1] ?? '').getAll('key');
  return [...inHeaders, ...inQuery].join(' ').trim();
}
