/** One answer as it arrived on a connection. */
export interface ReadAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  /** Whether the body ended as HTTP requires. */
  readonly complete: boolean;
}

/**
 * The HTTP/1 answers in the bytes of one connection, in order. Interim answers (1xx) are skipped, and so is everything after
 * the first bytes that are not an answer. `closed`: the peer has closed the connection, which ends a body without a length.
 */
export function readAnswers(bytes: Buffer, closed: boolean): ReadAnswer[] {
  const answers: ReadAnswer[] = [];
  let rest = bytes;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    const head = end < 0 ? null : readHead(rest.subarray(0, end).toString('latin1'));
    if (head === null) return answers;
    const { body, complete, used } = readBody(rest.subarray(end + 4), head, closed);
    if (head.status >= 200) answers.push({ ...head, body, complete });
    if (!complete) return answers;
    rest = rest.subarray(end + 4 + used);
  }
}

type Head = Pick<ReadAnswer, 'status' | 'headers'>;

function readHead(text: string): Head | null {
  const [statusLine = '', ...lines] = text.split('\r\n');
  const status = /^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(statusLine)?.[1];
  if (status === undefined) return null;
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return { status: Number(status), headers };
}

interface ReadBody {
  readonly body: Buffer;
  readonly complete: boolean;
  readonly used: number;
}

function readBody(rest: Buffer, { status, headers }: Head, closed: boolean): ReadBody {
  const find = (name: string): string | undefined => headers.find(([key]) => key.toLowerCase() === name)?.[1];
  if (status < 200 || status === 204 || status === 304)
    return { body: Buffer.alloc(0), complete: true, used: 0 };
  if (find('transfer-encoding')?.toLowerCase() === 'chunked') return readChunks(rest);
  const length = find('content-length');
  if (length === undefined) return { body: rest, complete: closed, used: rest.length };
  const body = rest.subarray(0, Number(length));
  return { body, complete: body.length === Number(length), used: body.length };
}

/** Reads a chunked body from its first chunk size on. */
export function readChunks(rest: Buffer): ReadBody {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = rest.indexOf('\r\n', at);
    const size =
      lineEnd < 0 ? Number.NaN : Number.parseInt(rest.subarray(at, lineEnd).toString('latin1'), 16);
    const next = lineEnd + 2 + size + 2;
    const body = Buffer.concat(parts);
    if (Number.isNaN(size) || next > rest.length) return { body, complete: false, used: rest.length };
    if (size === 0) return { body, complete: true, used: next };
    parts.push(rest.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = next;
  }
}

/** A body in chunks of `size` bytes. */
export function chunked(body: Buffer, size: number): Buffer {
  const count = Math.ceil(body.length / size);
  const chunks = Array.from({ length: count }, (_, nth) => body.subarray(nth * size, (nth + 1) * size));
  const end = '\r\n';
  const parts = chunks.flatMap((piece) => [
    Buffer.from(piece.length.toString(16) + end),
    piece,
    Buffer.from(end),
  ]);
  return Buffer.concat([...parts, Buffer.from(`0${end}${end}`)]);
}
