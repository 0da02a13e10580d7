import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import { listenOnLoopback } from '../../process/loopback.ts';
import { headerPairs } from '../proxy-headers.ts';

export interface Origin {
  readonly url: string;
  close(): Promise<void>;
}

/** A server with the test's own answers, behind a proxy. */
export async function startOrigin(
  answer: (request: IncomingMessage, response: ServerResponse, body: Buffer) => void,
): Promise<Origin> {
  const server = createServer({ maxHeaderSize: 1024 * 1024 }, async (request, response) => {
    const parts: Buffer[] = [];
    for await (const bytes of request) parts.push(bytes as Buffer);
    answer(request, response, Buffer.concat(parts));
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

export interface Sent {
  readonly method?: string;
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string | Buffer;
}

export interface Received {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

/** One exchange over a separate connection, with header names as they arrived. */
export async function exchange(url: string, sent: Sent = {}): Promise<Received> {
  const response = await openResponse(url, sent);
  const parts: Buffer[] = [];
  for await (const bytes of response) parts.push(bytes as Buffer);
  return {
    status: response.statusCode ?? 0,
    statusText: response.statusMessage ?? '',
    headers: headerPairs(response.rawHeaders),
    body: Buffer.concat(parts),
  };
}

/** Sends a request and resolves with the head of the answer. The caller reads the body. */
export async function openResponse(url: string, sent: Sent = {}): Promise<IncomingMessage> {
  const { host } = new URL(url);
  const call = send(url, {
    method: sent.method ?? 'GET',
    // The path as written, because a parsed URL would normalise it.
    path: url.slice(url.indexOf(host) + host.length),
    headers: ['Host', host, ...(sent.headers ?? []).flat()],
    agent: false,
  });
  call.end(sent.body);
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  return response;
}
