import { readFileSync } from 'node:fs';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Exchange } from './exchange.ts';

export interface RawRequest {
  readonly baseUrl: string;
  readonly caPath: string | null;
  /** Written one after the other; nothing is added. */
  readonly pieces: readonly (string | Buffer)[];
  readonly withinMs: number;
  readonly signal: AbortSignal;
}

/** What came back over a bare socket: the first answer as an exchange, and whether the peer closed the connection. */
export interface RawAnswer {
  readonly exchange: Exchange;
  readonly closed: boolean;
  readonly afterMs: number;
}

/** Sends bytes as they are, which no HTTP client would, and reads until the peer closes or time is up. */
export function sendRaw(request: RawRequest): Promise<RawAnswer> {
  const url = new URL(request.baseUrl);
  const start = performance.now();
  const sentAt = Date.now();
  return new Promise((resolve) => {
    const received: Buffer[] = [];
    let error: string | null = null;
    const socket = open(url, request.caPath);
    const finish = (closed: boolean): void => {
      clearTimeout(limit);
      request.signal.removeEventListener('abort', stop);
      socket.destroy();
      const exchange = toExchange(request, Buffer.concat(received), error, sentAt);
      resolve({ exchange, closed, afterMs: performance.now() - start });
    };
    const stop = (): void => finish(false);
    const limit = setTimeout(stop, request.withinMs);
    request.signal.addEventListener('abort', stop, { once: true });
    socket.on('data', (bytes) => received.push(bytesOf(bytes)));
    socket.on('error', (cause) => {
      error = cause.message;
    });
    socket.on('close', () => finish(true));
    for (const piece of request.pieces) socket.write(bytesOf(piece));
  });
}

function bytesOf(piece: string | Buffer): Buffer {
  return typeof piece === 'string' ? Buffer.from(piece) : piece;
}

function open(url: URL, caPath: string | null): Socket {
  const secure = url.protocol === 'https:';
  const port = Number(url.port || (secure ? 443 : 80));
  const host = url.hostname.replaceAll(/^\[|\]$/g, '');
  if (!secure) return connectTcp({ host, port });
  return connectTls({ host, port, servername: host, ...(caPath ? { ca: readFileSync(caPath) } : {}) });
}

function toExchange(request: RawRequest, bytes: Buffer, error: string | null, sentAt: number): Exchange {
  const sent = Buffer.concat(request.pieces.map(bytesOf));
  const split = bytes.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = (split < 0 ? '' : bytes.subarray(0, split).toString('latin1')).split(
    '\r\n',
  );
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(statusLine)?.[1];
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const body = bodyOf(bytes.subarray(split + 4), headers);
  return {
    label: 'raw bytes',
    request: { method: 'RAW', url: request.baseUrl, headers: [], body: sent },
    response:
      status === undefined
        ? null
        : { status: Number(status), headers, body, firstByteMs: 0, endMs: 0, complete: true },
    error:
      status === undefined
        ? (error ?? (bytes.length > 0 ? 'bytes that are no HTTP answer' : 'closed without an answer'))
        : null,
    sentAt,
    endedAt: Date.now(),
  };
}

/** The body of the first answer: by its length, or put together from its chunks. */
function bodyOf(rest: Buffer, headers: readonly (readonly [string, string])[]): Buffer {
  const find = (name: string): string | undefined => headers.find(([key]) => key.toLowerCase() === name)?.[1];
  const length = find('content-length');
  if (length !== undefined) return rest.subarray(0, Number(length));
  if (find('transfer-encoding')?.toLowerCase() !== 'chunked') return rest;
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = rest.indexOf('\r\n', at);
    const size = lineEnd < 0 ? 0 : Number.parseInt(rest.subarray(at, lineEnd).toString('latin1'), 16);
    if (!(size > 0)) return Buffer.concat(parts);
    parts.push(rest.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}
