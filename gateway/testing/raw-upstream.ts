import { createServer, type Socket } from 'node:net';

/** One request on a connection of a raw upstream. */
export interface RawCall {
  readonly socket: Socket;
  /** How many requests came on this connection before. */
  readonly before: number;
  readonly head: string;
  /** Writes bytes and resolves when the kernel has them. */
  write(bytes: string | Uint8Array): Promise<void>;
}

export type RawProgram = (call: RawCall) => void | Promise<void>;

/** An upstream that sends exactly the bytes that it is told to, HTTP or not. */
export interface RawUpstream {
  readonly url: string;
  /** Every request, in the order of arrival. */
  readonly calls: RawCall[];
  /** Answers the next requests, in this order; when they are used up, `fallback` answers. */
  readonly queue: RawProgram[];
  fallback: RawProgram;
  /** Connections that are open now. */
  open(): number;
  close(): Promise<void>;
}

export async function startRawUpstream(): Promise<RawUpstream> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    serve(socket, upstream);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const upstream: RawUpstream = {
    url: `http://127.0.0.1:${port}`,
    calls: [],
    queue: [],
    fallback: () => {},
    open: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  return upstream;
}

/** Cuts what comes in into requests with a `content-length`, and runs a program for each. */
function serve(socket: Socket, upstream: RawUpstream): void {
  let held = '';
  let before = 0;
  socket.on('data', (chunk) => {
    held += chunk.toString('latin1');
    for (;;) {
      const headEnd = held.indexOf('\r\n\r\n');
      const length = Number(/^content-length: (\d+)/im.exec(held)?.[1] ?? 0);
      if (headEnd === -1 || held.length < headEnd + 4 + length) return;
      const call: RawCall = { socket, before, head: held.slice(0, headEnd), write: writer(socket) };
      held = held.slice(headEnd + 4 + length);
      before += 1;
      upstream.calls.push(call);
      void (upstream.queue.shift() ?? upstream.fallback)(call);
    }
  });
  socket.on('end', () => {
    if (!socket.writableEnded) socket.end();
  });
}

function writer(socket: Socket): RawCall['write'] {
  return (bytes) => new Promise((resolve) => socket.write(bytes, () => resolve()));
}

/** The head of an answer. */
export function rawHead(headers: Readonly<Record<string, string>> = {}, status = '200 OK'): string {
  const lines = Object.entries({ 'content-type': 'application/json', ...headers });
  return `HTTP/1.1 ${status}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

/** A good answer with this body, on a connection that stays. */
export function rawAnswer(body: string, headers: Readonly<Record<string, string>> = {}): RawProgram {
  const length = { 'content-length': String(Buffer.byteLength(body)) };
  return async ({ write }) => await write(rawHead({ ...headers, ...length }) + body);
}

/** Ends a chunked body. */
export const lastChunk = '0\r\n\r\n';

/** Bytes as one piece of a chunked body; nothing for none, which would end it. */
export function rawChunk(bytes: string): string {
  return bytes === '' ? '' : `${Buffer.byteLength(bytes).toString(16)}\r\n${bytes}\r\n`;
}
