import { createServer as createHttpServer, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { listenOnLoopback } from '../../process/loopback.ts';
import { makeAuthority } from '../../receiver/authority.ts';

/** Servers that a user may mistake for a gateway. */

/** A server at its own address. */
export interface Hostile {
  readonly url: string;
  /** Resolves at the first received byte. */
  readonly asked: Promise<void>;
  close(): void;
}

const chunk = Buffer.alloc(256 * 1024, 'a');
const list = JSON.stringify({ object: 'list', data: [{ id: 'alpha-5-2', object: 'model' }] });
const json = { 'content-type': 'application/json' };

const always =
  (status: number, type: string, body: string): RequestListener =>
  (request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': type }).end(body);
  };

/** Keeps writing as fast as the client reads, until this many bytes are sent or the client disconnects. */
function pour(response: ServerResponse, bytes: number): void {
  let left = bytes;
  const more = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= chunk.length;
      if (!response.write(chunk)) return void response.once('drain', more);
    }
    if (!response.destroyed) response.end();
  };
  more();
}

const endless: RequestListener = (request, response) => {
  request.resume();
  response.writeHead(200, json);
  pour(response, Number.POSITIVE_INFINITY);
};

const gigabyte: RequestListener = (request, response) => {
  request.resume();
  response.writeHead(200, { ...json, 'content-length': 1024 ** 3 });
  pour(response, 1024 ** 3);
};

const trickle: RequestListener = (request, response) => {
  request.resume();
  response.writeHead(200, json);
  const timer = setInterval(() => response.write(' '), 1_000);
  response.once('close', () => clearInterval(timer));
};

/** Another API: other models, and errors of another form. */
const otherApi: RequestListener = (request, response) => {
  request.resume();
  if (request.url?.endsWith('/models'))
    response.writeHead(200, json).end('{"data":[{"id":"llama-3-70b"},{"id":"mixtral-8x7b"}]}');
  else response.writeHead(422, json).end('{"detail":[{"loc":["body","model"],"msg":"field required"}]}');
};

/** Lists models like a gateway; `other` answers all other requests. */
const listsModels =
  (other: RequestListener): RequestListener =>
  (request, response) =>
    request.url?.endsWith('/models')
      ? always(200, 'application/json', list)(request, response)
      : other(request, response);

const refused = JSON.stringify({
  error: {
    type: 'invalid_request_error',
    code: 'invalid_param',
    message: 'The parameter model is required.',
    channel: null,
    param: 'model',
  },
});

/** Refuses an empty request like a gateway; `other` answers all other requests. */
const refusesWhatIsEmpty =
  (other: RequestListener): RequestListener =>
  (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (bytes: Buffer) => parts.push(bytes));
    request.on('end', () => {
      if (Buffer.concat(parts).toString() === '{}') response.writeHead(400, json).end(refused);
      else other(request, response);
    });
  };

const megabytes =
  (count: number): RequestListener =>
  (_, response) => {
    response.writeHead(200, json);
    pour(response, count * 1024 ** 2);
  };

/** The servers by kind. */
export const hostile = {
  website: () => http(always(200, 'text/html; charset=utf-8', '<!doctype html><title>Shop</title>')),
  '200 to all': () => http(always(200, 'application/json', '{}')),
  '401 to all': () => http(always(401, 'application/json', '{"message":"Unauthorized"}')),
  '500 to all': () => http(always(500, 'text/plain', 'oops')),
  resets: () => tcp((socket) => socket.once('data', () => socket.resetAndDestroy())),
  'no answer': () => tcp((socket) => socket.resume()),
  'another API': () => http(otherApi),
  'an expired certificate': async () => {
    const longAgo = Date.now() - 800 * 24 * 3_600_000;
    const pair = await (await makeAuthority(longAgo)).issue(['127.0.0.1']);
    return listening(createHttpsServer(pair, always(200, 'application/json', '{}')), 'https');
  },
  'https to a plain port': () => listening(createHttpServer(always(200, 'application/json', '{}')), 'https'),
  'an endless answer': () => http(endless),
  'an answer of 1 GB': () => http(gigabyte),
  'one byte a second': () => http(trickle),
  'models, then answers without an end': () => http(listsModels(trickle)),
  'good refusals, then answers without an end': () => http(listsModels(refusesWhatIsEmpty(endless))),
  'good refusals, then answers of 64 MB': () => http(listsModels(refusesWhatIsEmpty(megabytes(64)))),
} satisfies Record<string, () => Promise<Hostile>>;

const http = (answer: RequestListener): Promise<Hostile> => listening(createHttpServer(answer), 'http');
const tcp = (answer: (socket: Socket) => void): Promise<Hostile> =>
  listening(createTcpServer(answer), 'http');

async function listening(server: Server, scheme: 'http' | 'https'): Promise<Hostile> {
  const sockets = new Set<Socket>();
  const asked = new Promise<void>((resolve) => {
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => sockets.delete(socket));
      resolve();
    });
  });
  const port = await listenOnLoopback(server);
  return {
    url: `${scheme}://127.0.0.1:${port}`,
    asked,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
