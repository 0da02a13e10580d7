import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { UsageError } from '../process/exit-codes.ts';
import { mostBytes, readWithin, unreadable } from '../process/read-file.ts';
import type { Profile } from './profile.ts';

/**
 * Refuses certificates that no connection could be made with, before one is tried.
 * @throws UsageError with the member and its file
 */
export function assertTlsFiles({ tls: { ca, cert, key } }: Pick<Profile, 'tls'>): void {
  if (ca !== undefined) certificateIn(ca, 'tls.ca');
  if (cert === undefined || key === undefined) return;
  if (!certificateIn(cert, 'tls.cert').checkPrivateKey(keyIn(key)))
    throw new UsageError(`tls.key ${key} is not the key of the certificate in tls.cert ${cert}`);
}

function certificateIn(file: string, member: string): X509Certificate {
  const text = contentOf(file, member);
  try {
    return new X509Certificate(text);
  } catch {
    throw new UsageError(`${member} ${file} has no certificate in PEM`);
  }
}

function keyIn(file: string): KeyObject {
  const text = contentOf(file, 'tls.key');
  try {
    return createPrivateKey(text);
  } catch {
    throw new UsageError(`tls.key ${file} has no private key in PEM that can be used without a password`);
  }
}

function contentOf(file: string, member: string): Buffer {
  try {
    return readWithin(file, mostBytes.pem);
  } catch (error) {
    throw unreadable(`${member} ${file}`, error);
  }
}
