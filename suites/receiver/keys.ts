import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mostBytes, readWithin } from '../process/read-file.ts';
import { type Authority, type KeyPair, makeAuthority, readAuthority } from './authority.ts';

/** Files that the user has named for the keys of a receiver. */
export interface KeyFiles {
  /** An existing certificate with its key. */
  readonly cert?: string;
  readonly key?: string;
  /** The file that keeps the certificate of the receiver's own authority between runs, with the key beside it. */
  readonly ca?: string;
}

export interface ReceiverKeys {
  readonly keys: KeyPair;
  /** Path of the certificate that verifies the receiver's own certificate. */
  readonly ca: string;
  /** The same as text; null when every client is expected to trust it already. */
  readonly vouchers: string | null;
}

/** The names of these files in the folder of a receiver. */
export const [certFile, keyFile] = ['receiver.pem', 'receiver.key'] as const;

interface Place {
  /** A private folder. */
  readonly dir: string;
  readonly files: KeyFiles;
  readonly plain: boolean;
  readonly now: () => number;
}

/**
 * A certificate for these names: from the files, or a new one by the receiver's own authority.
 * New files are written into the folder; only their owner can read the keys.
 */
export async function keysFor(names: readonly string[], place: Place): Promise<ReceiverKeys> {
  const { cert, key } = place.files;
  if (cert !== undefined && key !== undefined) {
    const keys = { cert: read(cert), key: read(key) };
    return { keys, ca: writeAll(place, keys, keys.cert), vouchers: null };
  }
  const authority = await authorityFor(place);
  const keys = await authority.issue(names);
  return { keys, ca: writeAll(place, keys, authority.cert), vouchers: place.plain ? null : authority.cert };
}

/** Returns the path of the certificate that verifies the keys. */
function writeAll({ dir }: Place, keys: KeyPair, ca: string): string {
  const write = (name: string, text: string): string => {
    const path = join(dir, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  write(certFile, keys.cert);
  write(keyFile, keys.key);
  return write('receiver-ca.pem', ca);
}

async function authorityFor({ files: { ca }, now }: Place): Promise<Authority> {
  if (ca === undefined) return makeAuthority(now());
  const caKey = `${ca}.key`;
  if (existsSync(ca) && existsSync(caKey)) {
    try {
      return await readAuthority({ cert: read(ca), key: read(caKey) }, now());
    } catch (error) {
      throw new Error(
        `${ca} and ${caKey} are not a usable certificate authority: ${(error as Error).message}`,
      );
    }
  }
  if (existsSync(ca)) throw new Error(`${ca} exists without ${caKey}: name a file that does not exist yet`);
  const authority = await makeAuthority(now());
  writeFileSync(caKey, authority.key, { mode: 0o600 });
  writeFileSync(ca, authority.cert);
  return authority;
}

function read(path: string): string {
  try {
    return readWithin(path, mostBytes.pem).toString('utf8');
  } catch (error) {
    throw new Error(`cannot read ${path}: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}`);
  }
}
