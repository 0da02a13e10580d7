import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import { SentHeaders } from '../http/sent-headers.ts';
import { type Connection, type ConnectionBreak, countRequest, type PlainSockets } from './connection.ts';

const { NGHTTP2_REFUSED_STREAM, NGHTTP2_INTERNAL_ERROR, NGHTTP2_CANCEL, NGHTTP2_NO_ERROR } = constants;

/** How a stream is reset. */
const resets: Readonly<Partial<Record<ConnectionBreak, number>>> = {
  'refuse-stream': NGHTTP2_REFUSED_STREAM,
  'reset-stream': NGHTTP2_INTERNAL_ERROR,
  'cancel-stream': NGHTTP2_CANCEL,
};

/** Headers of an HTTP/1 connection, which HTTP/2 forbids. */
const ofHttp1 = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade']);

/** A request and its answer over HTTP/2: one stream of a connection that others share. */
export class Http2Connection implements Connection {
  readonly http = 2;
  readonly earlier: number;
  readonly #stream: ServerHttp2Stream;
  readonly #plain: PlainSockets;
  #head: Record<string, string | number> = {};

  constructor(stream: ServerHttp2Stream, plain: PlainSockets) {
    this.earlier = countRequest(stream.session ?? stream);
    this.#stream = stream;
    this.#plain = plain;
    stream.on('error', () => {});
  }

  get isFinished(): boolean {
    return this.#stream.writableFinished;
  }

  get isClosed(): boolean {
    return this.#stream.closed;
  }

  onClose(listener: () => void): void {
    this.#stream.on('close', listener);
  }

  head(status: number, headers: Readonly<Record<string, string>>): false {
    const kept = Object.entries(headers).filter(([name]) => !ofHttp1.has(name.toLowerCase()));
    this.#head = { ':status': status, ...Object.fromEntries(kept) };
    return false;
  }

  flush(): void {
    // Node's own response waits for trailers, too. Otherwise Node would send END_STREAM for an answer that is reset later.
    if (!this.#stream.headersSent) this.#stream.respond(this.#head, { waitForTrailers: true });
  }

  write(bytes: Buffer, onLeft: () => void): void {
    this.flush();
    this.#stream.write(bytes, onLeft);
  }

  end(bytes?: Buffer): void {
    this.flush();
    this.#stream.end(bytes);
  }

  writeRaw(): void {
    throw new Error('raw bytes of HTTP/1 cannot be sent over HTTP/2');
  }

  breakOff(by: ConnectionBreak): void {
    const { session, id = 0 } = this.#stream;
    const reset = resets[by];
    if (reset !== undefined) {
      this.#stream.close(reset);
    } else if (by === 'goaway') {
      session?.destroy(new Error('the connection goes away'), NGHTTP2_INTERNAL_ERROR);
    } else if (by === 'goaway-unprocessed') {
      // Node reads 0 as the last existing stream, so the first stream of a connection is rejected separately.
      if (id === 1) this.#stream.close(NGHTTP2_REFUSED_STREAM);
      session?.goaway(NGHTTP2_NO_ERROR, id - 2);
      session?.close();
    } else if (by === 'rst') {
      this.#socket?.resetAndDestroy();
    } else {
      this.#socket?.destroySoon();
    }
  }

  retire(): void {
    this.#stream.session?.close();
  }

  destroy(): void {
    this.#stream.close(NGHTTP2_CANCEL);
  }

  get #socket() {
    const { session } = this.#stream;
    return session === undefined ? undefined : this.#plain.under(session.socket);
  }
}

/** The headers of a request, with the authority under its name in HTTP/1. */
export function headersOfHttp2(headers: IncomingHttpHeaders): SentHeaders {
  const pairs = Object.entries(headers).flatMap(([name, value]) => {
    if (name.startsWith(':') && name !== ':authority') return [];
    const given = Array.isArray(value) ? value : [value ?? ''];
    return given.flatMap((one) => [name === ':authority' ? 'host' : name, one]);
  });
  return new SentHeaders(pairs);
}
