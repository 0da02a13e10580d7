import { checkServerIdentity, createSecureContext, type ConnectionOptions as TlsOptions } from 'node:tls';
import { mostBytes, readNamedFile, whyUnread } from '../read-named-file.ts';
import { reasonOf, StoreError } from './store-errors.ts';

/** The encryption settings that the parameters of a URL stand for. */
export interface ServerTls {
  /** False for an unencrypted connection. */
  readonly ssl: TlsOptions | false;
  /**
   * Part of a sentence for the operator about a connection that failed because of its encryption; null for any other failure.
   */
  readonly explain: (error: unknown) => string | null;
}

/** The value of a parameter of PostgreSQL's own clients, such as `sslmode`; null where there is none. */
export type Words = (name: string) => string | null;

const modes = ['disable', 'require', 'verify-ca', 'verify-full'];
/** Operators rely on these parameters, but the driver does not support them. */
const unknown = ['sslcrl', 'sslcrldir', 'ssl_min_protocol_version', 'ssl_max_protocol_version'];
/** Stands for all authorities trusted by default, instead of a file. */
const system = 'system';

const unvouched = [
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_GET_ISSUER_CERT',
  'CERT_SIGNATURE_FAILURE',
];

/**
 * Interprets the parameters as PostgreSQL's own clients do. The driver by itself treats `require` and `verify-ca` as
 * `verify-full`. Modes that fall back to clear text are rejected, since they do not protect.
 * @throws StoreError
 */
export function readTls(words: Words, host: string, place: string): ServerTls {
  const refuse = (reason: string): never => {
    throw new StoreError(`The database in ${place} cannot be used: ${reason}.`);
  };
  const mode = modeOf(words, refuse);
  if (mode === 'disable') return { ssl: false, explain: () => null };
  const refused = unknown.find((name) => words(name) !== null);
  if (refused !== undefined) refuse(`${refused} is not supported`);
  if (words('channel_binding') === 'require') refuse('channel_binding=require is not supported');
  const root = words('sslrootcert');
  if (root === system && mode !== 'verify-full')
    refuse(
      `sslrootcert=system with sslmode=${mode} trusts every public certificate; use sslmode=verify-full`,
    );
  if (root === null && mode === 'verify-ca') refuse('sslmode=verify-ca needs sslrootcert');
  const file = (name: string, path: string | null): { pem?: string } =>
    path === null ? {} : { pem: readPem(name, path, refuse) };
  const { pem: ca } = file('sslrootcert', root === system ? null : root);
  const { pem: cert } = file('sslcert', words('sslcert'));
  const { pem: key } = file('sslkey', words('sslkey'));
  if ((cert === undefined) !== (key === undefined)) refuse('sslcert and sslkey need each other');
  const passphrase = words('sslpassword');
  const ssl: TlsOptions = {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(passphrase !== null && { passphrase }),
    ...verification(mode, ca !== undefined, host),
  };
  try {
    createSecureContext(ssl);
  } catch (error) {
    refuse(`the files of sslrootcert, sslcert and sslkey do not work: ${reasonOf(error)}`);
  }
  return {
    ssl,
    explain: (error) => explain(error, mode, root ?? 'the authorities that are trusted by default'),
  };
}

function modeOf(words: Words, refuse: (reason: string) => never): string {
  const ssl = words('ssl');
  const mode = words('sslmode') ?? (ssl === 'true' ? 'require' : null);
  if (mode === null) {
    if (ssl !== null) refuse('ssl takes only true; say sslmode');
    if (words('sslrootcert') !== null || words('sslcert') !== null)
      refuse('certificates are named without sslmode; say sslmode=verify-full');
    return 'disable';
  }
  if (mode === 'allow' || mode === 'prefer')
    refuse(`sslmode=${mode} would fall back to clear text; say disable, require, verify-ca or verify-full`);
  if (!modes.includes(mode)) refuse(`sslmode is none of ${modes.join(', ')}`);
  return mode;
}

/** `require` verifies the certificate only if an authority is named, and then like `verify-ca`. */
function verification(mode: string, hasCa: boolean, host: string): TlsOptions {
  if (mode === 'verify-full')
    return { rejectUnauthorized: true, checkServerIdentity: (_, cert) => checkServerIdentity(host, cert) };
  return { rejectUnauthorized: mode === 'verify-ca' || hasCa, checkServerIdentity: () => undefined };
}

function readPem(name: string, path: string, refuse: (reason: string) => never): string {
  const pem = ((): string => {
    try {
      return readNamedFile(path, mostBytes.pem);
    } catch (error) {
      return refuse(`${name} names a file that cannot be read: ${whyUnread(error)}`);
    }
  })();
  return /-----BEGIN [A-Z ]+-----/.test(pem)
    ? pem
    : refuse(`${path}, which ${name} names, is not in the form PEM`);
}

function explain(error: unknown, mode: string, root: string): string | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (unvouched.includes(code)) return `its certificate is not issued by ${root} (${reasonOf(error)})`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `its certificate has another name, which sslmode=verify-full refuses (${reasonOf(error)})`;
  if (error instanceof Error && error.message === 'The server does not support SSL connections')
    return `it offers no TLS, which sslmode=${mode} demands`;
  return null;
}
