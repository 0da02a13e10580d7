import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import { PlainSockets } from './connection.ts';
import { Http2Connection, headersOfHttp2 } from './http2-connection.ts';
import { type Certified, limits, type ProviderContext, serveHttp1, serveSafely } from './server.ts';

/** The simulated upstreams over HTTP/2, or over HTTP/1 for clients without HTTP/2; not yet listening. */
export function createHttp2ProviderServer(
  context: ProviderContext,
  { key, cert }: Certified,
): Http2SecureServer {
  const server = createSecureServer({ ...limits, key, cert, allowHTTP1: true });
  const plain = new PlainSockets(server);
  server.setTimeout(0);
  // A broken connection also ends its streams, so its errors are ignored.
  server.on('sessionError', () => {});
  return server.on(
    'request',
    (request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse) => {
      if ('stream' in response && 'stream' in request) {
        const connection = new Http2Connection(response.stream, plain);
        serveSafely({ request, connection, headers: headersOfHttp2(request.headers) }, context);
      } else {
        serveHttp1(request as IncomingMessage, response as ServerResponse, context, plain);
      }
    },
  );
}
