import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Authority, type KeyPair, makeAuthority, readAuthority } from './authority.ts';

/** Files that somebody has named for the keys of a receiver. */
export interface KeyFiles {
  /** A certificate with its key that there are already. */
  readonly cert?: string;
  readonly key?: string;
  /** Where the certificate of the receiver's own authority is kept from run to run, with its key beside it. */
  readonly ca?: string;
}

export interface ReceiverKeys {
  readonly keys: KeyPair;
  /** Path of what vouches for them. */
  readonly ca: string;
  /** The same as text; null where everybody is to know it already. */
  readonly vouchers: string | null;
}

/** What they are called in the folder of a receiver. */
export const [certFile, keyFile] = ['receiver.pem', 'receiver.key'] as const;

interface Place {
  /** A private folder. */
  readonly dir: string;
  readonly files: KeyFiles;
  readonly plain: boolean;
  readonly now: () => number;
}

/**
 * A certificate for these names: the one of the files, or a fresh one by an authority of the receiver's own. What was made
 * is written into the folder, keys for their owner alone.
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

/** Returns the path of what vouches for the keys. */
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
      throw new Error(`${ca} and ${caKey} are no authority that can be used: ${(error as Error).message}`);
    }
  }
  if (existsSync(ca)) throw new Error(`${ca} is there without ${caKey}: name a file that can be made`);
  const authority = await makeAuthority(now());
  writeFileSync(caKey, authority.key, { mode: 0o600 });
  writeFileSync(ca, authority.cert);
  return authority;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`cannot read ${path}: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}`);
  }
}
