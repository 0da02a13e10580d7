import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { Agent, buildConnector, type DiagnosticsChannel, type Dispatcher, ProxyAgent } from 'undici';
import { mostBytes, readWithin } from '../process/read-file.ts';
import type { Profile } from '../profile/profile.ts';
import type { SentRequest } from './exchange.ts';

/** The certificates for TLS connections to the deployment, in addition to those that the machine trusts: PEM. */
export interface TlsOptions {
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

const connectMs = 10_000;

/** The certificates that the profile names. */
export function tlsOptionsOf({ tls: { ca, cert, key } }: Pick<Profile, 'tls'>): TlsOptions {
  return {
    ...(ca !== undefined && { ca: readWithin(ca, mostBytes.pem) }),
    ...(cert !== undefined && { cert: readWithin(cert, mostBytes.pem) }),
    ...(key !== undefined && { key: readWithin(key, mostBytes.pem) }),
  };
}

/** Connections to the deployment, through its proxy if the profile names one. */
export function dispatcherFor(
  profile: Pick<Profile, 'tls' | 'http'>,
  options: Pick<Agent.Options, 'headersTimeout' | 'bodyTimeout' | 'maxHeaderSize' | 'pipelining'> = {},
): Dispatcher {
  const tls = tlsOptionsOf(profile);
  const pool = { connections: null, pipelining: 1, keepAliveTimeout: 4_000, ...options };
  const { proxy } = profile.http;
  const connect = { timeout: connectMs, ...tls };
  if (proxy === undefined) return new Agent({ ...pool, connect: noting(buildConnector(connect)) });
  return new ProxyAgent({ ...pool, uri: proxy, requestTls: connect });
}

const own = new WeakSet<Socket>();
const carriers = new WeakMap<object, Socket>();

function noting(connect: buildConnector.connector): buildConnector.connector {
  return (options, done) =>
    connect(options, (...made) => {
      // A failed connection has no socket: null by its type, in fact undefined.
      if (made[1]) own.add(made[1]);
      done(...made);
    });
}

// Servers often close a connection, unannounced, right after a 500. The next call must not use it.
subscribe('undici:client:sendHeaders', (message) => {
  const { request, socket } = message as DiagnosticsChannel.ClientSendHeadersMessage;
  if (own.has(socket)) carriers.set(request, socket);
});
subscribe('undici:request:headers', (message) => {
  const { request, response } = message as DiagnosticsChannel.RequestHeadersMessage;
  if (response.statusCode < 500) carriers.delete(request);
});
subscribe('undici:request:trailers', (message) => {
  carriers.get((message as DiagnosticsChannel.RequestTrailersMessage).request)?.destroy();
});

/** The headers of a request plus those that the deployment requires on each; the request's own headers take precedence. */
export function withDeploymentHeaders(
  headers: SentRequest['headers'],
  { http }: Pick<Profile, 'http'>,
): SentRequest['headers'] {
  return withMissing(headers, http.headers);
}

/** The headers, plus those of `added` that are missing. */
export function withMissing(
  headers: SentRequest['headers'],
  added: Readonly<Record<string, string>>,
): SentRequest['headers'] {
  const own = new Set(headers.map(([name]) => name.toLowerCase()));
  return [...headers, ...Object.entries(added).filter(([name]) => !own.has(name.toLowerCase()))];
}
