import type { Config } from './config.ts';
import { mostBytes, readNamedFile, whyUnread } from './read-named-file.ts';
import { exitUsage, StartFailure } from './start-config.ts';

/** Extra CA certificates for receivers, in addition to the default ones. @throws StartFailure */
export function readCa({ ca }: Config['webhooks']): string | undefined {
  if (ca === undefined) return undefined;
  const pem = textOf(ca);
  if (/-----BEGIN CERTIFICATE-----/.test(pem)) return pem;
  throw new StartFailure(`${ca}, which webhooks.ca names, holds no certificate in the form PEM.`, exitUsage);
}

function textOf(path: string): string {
  try {
    return readNamedFile(path, mostBytes.pem);
  } catch (error) {
    const reason = whyUnread(error);
    throw new StartFailure(`${path}, which webhooks.ca names, cannot be read (${reason}).`, exitUsage);
  }
}
