import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type Certificates, makeCertificates } from './certificates.ts';

/** An event as received. */
export interface ReceivedEvent {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at arbitrary members of a JSON body.
  readonly body: any;
  readonly atMs: number;
}

export type EventReply = (response: ServerResponse, event: ReceivedEvent) => void;

/** The receiver of events in tests: HTTPS on this machine. */
export interface WebhookReceiver {
  readonly url: string;
  /** The host as written in the allow-list. */
  readonly host: string;
  /** As PEM. */
  readonly ca: string;
  readonly events: ReceivedEvent[];
  /** Answers for the next events, in order; after them `fallback` answers. */
  readonly queue: EventReply[];
  fallback: EventReply;
  /** Resolves when this many events have arrived. */
  waitFor(count: number): Promise<void>;
  close(): Promise<void>;
}

/** An answer with this status. */
export const status =
  (code: number, headers: Record<string, string> = {}): EventReply =>
  (response) => {
    response.writeHead(code, headers).end();
  };

let made: Promise<Certificates> | null = null;

export async function startWebhookReceiver(now: () => number = Date.now): Promise<WebhookReceiver> {
  made ??= makeCertificates();
  const { ca, cert, key } = await made;
  const waiters: { count: number; resolve: () => void }[] = [];
  const events: ReceivedEvent[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString('utf8');
    response.on('error', () => {});
    const { url: path = '', headers } = request;
    const event = { path, headers, text, body: JSON.parse(text), atMs: now() };
    events.push(event);
    for (const waiter of waiters) if (events.length >= waiter.count) waiter.resolve();
    (receiver.queue.shift() ?? receiver.fallback)(response, event);
  };
  const server = createServer({ cert, key }, (request, response) => {
    take(request, response).catch(() => response.destroy());
  });
  // A client that rejects the certificate closes the connection, which raises this error.
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: WebhookReceiver = {
    url: `https://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    ca,
    events,
    queue: [],
    fallback: status(200),
    waitFor: (count) =>
      new Promise((resolve) => {
        if (events.length >= count) resolve();
        else waiters.push({ count, resolve });
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}
