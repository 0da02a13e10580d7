import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

/** Where a set of simulators can be reached, and by whom. */
export interface OwnAddress {
  /** The address or name to bind to. */
  readonly host: string;
  /** The name by which others reach it, for the URLs that are printed. */
  readonly name: string;
  /** What callers of the control API have to send as a bearer token; null on loopback, where none is needed. */
  readonly token: string | null;
  /** Certificate and key, PEM; null without TLS. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
}

/** On this machine alone, in clear. */
export const loopbackAddress: OwnAddress = { host: '127.0.0.1', name: '127.0.0.1', token: null, tls: null };

/** The shortest control token that is taken. */
const leastTokenLength = 16;

/** An address that cannot be used; the message is one sentence. */
export class BadAddress extends Error {}

/** What the command line says of the address. */
export interface AddressFlags {
  readonly host?: string | undefined;
  readonly name?: string | undefined;
  readonly 'tls-cert'?: string | undefined;
  readonly 'tls-key'?: string | undefined;
}

/**
 * Reads the address off the command line. A client of the control API commands the upstreams and reads the keys that
 * were sent to them, so one beyond loopback needs a token.
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

function pemIn(path: string, flag: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new BadAddress(`${flag} ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** Whether only this machine reaches the host. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function isAny(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}
