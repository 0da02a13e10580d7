import { contentTypeOf } from './content-type.ts';

/** Names of stored files. Without separators and leading dots, a name cannot leave the directory or prefix of these files. */
const fileNamePattern = /^[A-Za-z0-9_-]{16,64}\.([a-z0-9]{2,4})$/;

/** The content type of a stored file; null for any other name. */
export function typeOf(name: string): string | null {
  return contentTypeOf(fileNamePattern.exec(name)?.[1] ?? '');
}
