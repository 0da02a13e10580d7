import { keySlot } from '../grammar/subject.ts';

/** Placeholder for host and port of the deployment. */
export const hostSlot = 'host.of.the.deployment';

/** Bytes for a plain socket, and the permitted answers. */
export interface RawSequence {
  readonly name: string;
  /** Sent in this order. */
  readonly pieces: readonly (string | Buffer)[];
  /** The most answers that it may get. One more means that part of a body was read as a request. */
  readonly most: number;
  /** `refused`: no answer may be a success. `open`: a 2xx is acceptable too. */
  readonly expects: 'refused' | 'open';
  /** 5xx statuses that HTTP defines for this fault. */
  readonly alsoStatuses?: readonly number[];
  readonly gapMs?: number;
  /** Whether our side ends the connection after the last byte. */
  readonly ends?: boolean;
}

type More = Partial<Omit<RawSequence, 'name' | 'pieces'>>;

/** A sequence that is refused, or cut off, and gets at most one answer. */
export function raw(
  name: string,
  piece: string | Buffer | readonly (string | Buffer)[],
  more: More = {},
): RawSequence {
  const pieces = typeof piece === 'string' || Buffer.isBuffer(piece) ? [piece] : piece;
  return { name, pieces, most: 1, expects: 'refused', ...more };
}

const json = 'Content-Type: application/json\r\n';
export const hosted = `Host: ${hostSlot}\r\n`;
export const bearer = `Authorization: Bearer ${keySlot}\r\n`;
export const closing = 'Connection: close\r\n';
export const chunked = 'Transfer-Encoding: chunked\r\n';

/** A body that the gateway must refuse. */
export const small = '{"model":5}';

/** A request line and host of a read, without the empty line. */
export const get = `GET /api/v1/models HTTP/1.1\r\n${hosted}`;
export const goodGet = `${get}${bearer}\r\n`;
/** The head of a chat call with host, key and media type, but without length and empty line. */
export const post = `POST /api/v1/chat/completions HTTP/1.1\r\n${hosted}${bearer}${json}`;

/** A chat call with these bytes as its body. */
export function posted(body: string | Buffer, headers = ''): Buffer {
  const bytes = Buffer.from(body as string);
  return Buffer.concat([
    Buffer.from(`${post}${headers}${closing}Content-Length: ${bytes.length}\r\n\r\n`),
    bytes,
  ]);
}
