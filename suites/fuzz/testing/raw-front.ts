import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { listenOnLoopback } from '../../process/loopback.ts';

/** What a front does before it passes a request on; returns true when it handled the request itself. */
export type Before = (request: IncomingMessage, body: Buffer, response: ServerResponse) => boolean;

export interface RawFront {
  readonly url: string;
  /** The most requests in flight at once, by key. */
  readonly most: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

export interface RawFrontOptions {
  readonly before?: Before;
  /** Handles bytes that are not HTTP. Default: refuses them as the reference gateway does. */
  readonly onBroken?: (socket: Socket) => void;
}

const refusal =
  '{"error":{"type":"invalid_request_error","code":"invalid_param","message":"no","channel":null,"param":null}}';

/**
 * A server in front of a gateway with its own faults in handling broken HTTP. An ordinary proxy would correct such requests.
 */
export async function startRawFront(gatewayUrl: string, options: RawFrontOptions): Promise<RawFront> {
  const [inFlight, most] = [new Map<string, number>(), new Map<string, number>()];
  const { host } = new URL(gatewayUrl);
  const server = createServer({ maxHeaderSize: 64 * 1024 }, (incoming, outgoing) => {
    const key = incoming.headers.authorization ?? '';
    inFlight.set(key, (inFlight.get(key) ?? 0) + 1);
    most.set(key, Math.max(most.get(key) ?? 0, inFlight.get(key) ?? 0));
    outgoing.once('close', () => inFlight.set(key, (inFlight.get(key) ?? 1) - 1));
    const parts: Buffer[] = [];
    incoming.on('data', (bytes: Buffer) => parts.push(bytes));
    incoming.on('error', () => undefined);
    incoming.on('end', () => {
      const body = Buffer.concat(parts);
      if (options.before?.(incoming, body, outgoing) !== true) pass(incoming, body, outgoing);
    });
  });
  const pass = (incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse): void => {
    const { method = 'GET', url = '/', headers } = incoming;
    const { connection: _, 'transfer-encoding': __, ...kept } = headers;
    const onward = httpRequest(
      new URL(gatewayUrl),
      { method, path: url, headers: { ...kept, host, 'content-length': body.length }, agent: false },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      },
    );
    onward.on('error', () => outgoing.destroy());
    onward.end(body);
  };
  server.on('clientError', (_error, socket) => {
    if (options.onBroken !== undefined) options.onBroken(socket as Socket);
    else
      socket.end(
        `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\ncontent-length: ${refusal.length}\r\nconnection: close\r\n\r\n${refusal}`,
      );
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}`,
    most,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
