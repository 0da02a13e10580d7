import { isIP } from 'node:net';
import { readText } from './read-text.ts';

/** Where a set of simulators can be reached, and who may call. */
export interface OwnAddress {
  /** The address or name to bind to. */
  readonly host: string;
  /** The host name in the printed URLs, by which others reach it. */
  readonly name: string;
  /** The bearer token that callers of the control API must send. Null on loopback, which needs none. */
  readonly token: string | null;
  /** Certificate and key, PEM; null without TLS. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
}

/** Only on this machine, without TLS. */
export const loopbackAddress: OwnAddress = { host: '127.0.0.1', name: '127.0.0.1', token: null, tls: null };

/** The minimum length of a control token. */
const leastTokenLength = 16;

/** An invalid address. The message is one sentence. */
export class BadAddress extends Error {}

/** The command-line flags of the address. */
export interface AddressFlags {
  readonly host?: string | undefined;
  readonly name?: string | undefined;
  readonly 'tls-cert'?: string | undefined;
  readonly 'tls-key'?: string | undefined;
}

/**
 * Reads the address from the command line. A client of the control API controls the upstreams and can read the keys sent to
 * them, so an address beyond loopback requires a token.
 * @throws BadAddress
 */
export function readAddress(flags: AddressFlags, token: string): OwnAddress {
  const { host = loopbackAddress.host, name } = flags;
  if (token !== '' && token.length < leastTokenLength)
    throw new BadAddress(`GATECHECK_CONTROL_TOKEN must have at least ${leastTokenLength} characters.`);
  if (!isLoopback(host) && token === '')
    throw new BadAddress(
      `--host ${host} can be reached by others: set GATECHECK_CONTROL_TOKEN, which the control API then asks for.`,
    );
  return {
    host,
    name: name ?? (isAny(host) ? loopbackAddress.name : host),
    token: token === '' ? null : token,
    tls: readTls(flags),
  };
}

export function originAt({ name, tls }: OwnAddress, port: number): string {
  return `${tls === null ? 'http' : 'https'}://${isIP(name) === 6 ? `[${name}]` : name}:${port}`;
}

function readTls({ 'tls-cert': cert, 'tls-key': key }: AddressFlags): OwnAddress['tls'] {
  if (cert === undefined && key === undefined) return null;
  if (cert === undefined || key === undefined)
    throw new BadAddress('--tls-cert and --tls-key belong together.');
  return { cert: pemIn(cert, '--tls-cert'), key: pemIn(key, '--tls-key') };
}

/** More than any chain of certificates has. */
const maxPemBytes = 1024 * 1024;

function pemIn(path: string, flag: string): string {
  try {
    return readText(path, maxPemBytes);
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    throw new BadAddress(
      `${flag} ${path} ${code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`}.`,
    );
  }
}

/** Whether only this machine reaches the host. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function isAny(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}
