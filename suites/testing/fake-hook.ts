import { once } from 'node:events';
import { createServer } from 'node:http';
import { listenOnLoopback } from '../process/loopback.ts';

/** A request to a {@link FakeHook}. */
export interface HookRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization: string;
  /** The posted JSON; undefined without a body. */
  readonly body: unknown;
}

/** A hook of a deployment with the test's own answers. */
export interface FakeHook {
  readonly url: string;
  readonly asked: readonly HookRequest[];
  close(): Promise<void>;
}

/** Answers each request with the result of `answer`, as JSON unless it is a text; `status` is 200 by default. */
export async function startFakeHook(
  answer: (request: HookRequest) => { readonly status?: number; readonly body: unknown },
): Promise<FakeHook> {
  const asked: HookRequest[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece as Buffer);
    const text = Buffer.concat(pieces).toString();
    const request = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      authorization: incoming.headers.authorization ?? '',
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
    };
    asked.push(request);
    const { status = 200, body } = answer(request);
    outgoing.writeHead(status, { 'content-type': 'application/json' });
    outgoing.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}/hook`,
    asked,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
