import { readFileSync } from 'node:fs';
import { Agent, type Dispatcher, ProxyAgent } from 'undici';
import type { Profile } from '../profile/profile.ts';
import type { SentRequest } from './exchange.ts';

/** What a TLS connection to the deployment needs besides what the machine trusts: PEM. */
export interface TlsOptions {
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

const connectMs = 10_000;

/** The certificates that the profile names. */
export function tlsOptionsOf({ tls: { ca, cert, key } }: Pick<Profile, 'tls'>): TlsOptions {
  return {
    ...(ca !== undefined && { ca: readFileSync(ca) }),
    ...(cert !== undefined && { cert: readFileSync(cert) }),
    ...(key !== undefined && { key: readFileSync(key) }),
  };
}

/** Connections to the deployment, through its proxy if the profile names one. */
export function dispatcherFor(
  profile: Pick<Profile, 'tls' | 'http'>,
  options: Pick<Agent.Options, 'headersTimeout' | 'bodyTimeout' | 'maxHeaderSize'> = {},
): Dispatcher {
  const tls = tlsOptionsOf(profile);
  const pool = { connections: null, pipelining: 1, keepAliveTimeout: 4_000, ...options };
  const { proxy } = profile.http;
  const connect = { timeout: connectMs, ...tls };
  if (proxy === undefined) return new Agent({ ...pool, connect });
  return new ProxyAgent({ ...pool, uri: proxy, requestTls: connect });
}

/** The headers of a request with those that the deployment wants on each; what the request has itself counts. */
export function withDeploymentHeaders(
  headers: SentRequest['headers'],
  { http }: Pick<Profile, 'http'>,
): SentRequest['headers'] {
  return withMissing(headers, http.headers);
}

/** Headers with those of `added` that they lack. */
export function withMissing(
  headers: SentRequest['headers'],
  added: Readonly<Record<string, string>>,
): SentRequest['headers'] {
  const own = new Set(headers.map(([name]) => name.toLowerCase()));
  return [...headers, ...Object.entries(added).filter(([name]) => !own.has(name.toLowerCase()))];
}
