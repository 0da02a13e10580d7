import { readTls, type ServerTls, type Words } from './server-tls.ts';

/** A PostgreSQL server as described by its URL and the environment. */
export interface ServerAddress extends ServerTls {
  /** The URL without the parameters that `ssl` covers. */
  readonly url: string;
  /** Host and database, without user, password and parameters: for messages. */
  readonly place: string;
}

const tlsWords = [
  ...['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslpassword', 'sslcrl', 'sslcrldir'],
  ...['ssl_min_protocol_version', 'ssl_max_protocol_version', 'channel_binding'],
];

const inClear: ServerTls = { ssl: false, explain: () => null };

/**
 * Parses the URL of a server. Encryption settings missing there come from the environment, under the names of PostgreSQL's
 * own clients (PGSSLMODE and so on).
 * @throws StoreError for parameters that are invalid or unsupported
 */
export function readServerUrl(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): ServerAddress {
  if (!URL.canParse(text)) return { url: text, place: 'the configured server', ...inClear };
  const url = new URL(text);
  const place = `${url.host}${url.pathname}`;
  const host = url.searchParams.get('host') ?? url.hostname.replace(/^\[(.+)\]$/, '$1');
  const given = new Map(tlsWords.map((name) => [name, url.searchParams.get(name)]));
  const words: Words = (name) =>
    given.get(name) ?? (env[`PG${name.toUpperCase().replaceAll('_', '')}`] || null);
  // A unix socket is never encrypted.
  const tls = host.startsWith('/') ? inClear : readTls(words, host, place);
  if (![...given.values()].some((value) => value !== null)) return { url: text, place, ...tls };
  for (const name of tlsWords) url.searchParams.delete(name);
  return { url: url.href, place, ...tls };
}
