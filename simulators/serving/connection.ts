import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';
import type { ConnectionEnd } from '../answers/wire-program.ts';

/** The connection of one request, as far as its answer needs it. Nothing else writes to it. */
export interface Connection {
  readonly http: 1 | 2;
  /** How many requests it carried before this one. */
  readonly earlier: number;
  /** Whether the answer has left completely. */
  readonly isFinished: boolean;
  readonly isClosed: boolean;
  onClose(listener: () => void): void;
  /** Sets the head, which is sent with the first bytes of the body. Returns whether the body must be chunked. */
  head(status: number, headers: Readonly<Record<string, string>>): boolean;
  /** Sends the head that was set. */
  flush(): void;
  write(bytes: Buffer, onLeft: () => void): void;
  end(bytes?: Buffer): void;
  /** Sends raw bytes instead of an answer. Only for HTTP/1. */
  writeRaw(bytes: Buffer, onLeft: () => void): void;
  /** Ends the connection, or the stream of this request. After a half-close, the upstream keeps reading. */
  breakOff(by: ConnectionBreak): void;
  /** Tells the client that the connection accepts no further request. */
  retire(): void;
  destroy(): void;
}

/** Silence needs no action. */
export type ConnectionBreak = Exclude<ConnectionEnd, 'silence'>;

const carried = new WeakMap<object, number>();

/** Counts a request of a connection. @returns how many it carried before */
export function countRequest(connection: object): number {
  const earlier = carried.get(connection) ?? 0;
  carried.set(connection, earlier + 1);
  return earlier;
}

/** A request and its answer over HTTP/1. */
export class Http1Connection implements Connection {
  readonly http = 1;
  readonly earlier: number;
  readonly #socket: Socket;
  readonly #response: ServerResponse;
  readonly #plain: PlainSockets | null;

  constructor({ socket }: IncomingMessage, response: ServerResponse, plain: PlainSockets | null) {
    this.#plain = plain;
    this.earlier = countRequest(socket);
    this.#socket = socket;
    this.#response = response;
    socket.setNoDelay(true);
    // Broken connections also cause 'close', so the errors are ignored.
    response.on('error', () => {});
  }

  get isFinished(): boolean {
    return this.#response.writableFinished;
  }

  get isClosed(): boolean {
    return this.#response.closed;
  }

  onClose(listener: () => void): void {
    this.#response.on('close', listener);
  }

  head(status: number, headers: Readonly<Record<string, string>>): boolean {
    const response = this.#response;
    response.writeHead(status, headers);
    const { chunkedEncoding: isChunked } = response;
    // Node would write a chunk in three pieces, and each frame by itself.
    response.chunkedEncoding = false;
    return isChunked;
  }

  flush(): void {
    this.#response.flushHeaders();
  }

  write(bytes: Buffer, onLeft: () => void): void {
    this.#response.write(bytes, onLeft);
  }

  end(bytes?: Buffer): void {
    this.#response.end(bytes);
  }

  writeRaw(bytes: Buffer, onLeft: () => void): void {
    this.#socket.write(bytes, onLeft);
  }

  breakOff(by: ConnectionBreak): void {
    if (by === 'fin') this.#socket.destroySoon();
    else if (by === 'half-close') this.#socket.end();
    else (this.#plain?.under(this.#socket) ?? this.#socket).resetAndDestroy();
  }

  retire(): void {
    this.#response.shouldKeepAlive = false;
  }

  destroy(): void {
    this.#socket.destroy();
  }
}

/** The TCP sockets below TLS, by the port of the client. TLS sockets cannot be reset. */
export class PlainSockets {
  readonly #byPort = new Map<number | undefined, Socket>();

  /** Records the sockets of a server from now on. */
  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      const { remotePort } = socket;
      this.#byPort.set(remotePort, socket);
      socket.on('close', () => this.#byPort.delete(remotePort));
    });
  }

  under({ remotePort }: Pick<Socket, 'remotePort'>): Socket | undefined {
    return this.#byPort.get(remotePort);
  }
}
