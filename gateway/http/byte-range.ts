/** A range of a file, both ends included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

const oneRange = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i;

/**
 * Reads a Range header for a file of this size (RFC 9110, 14.2). Null means the whole file: without a header, with
 * an invalid one, or with several ranges. `unsatisfiable` means that the range has no byte of the file.
 */
export function byteRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const [, from = '', to = ''] = oneRange.exec(header ?? '') ?? [];
  if (from === '' && to === '') return null;
  if (from === '') {
    const length = Math.min(Number(to), size);
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 };
  }
  const first = Number(from);
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== '' && Number(to) < first) return null;
  return first >= size ? 'unsatisfiable' : { first, last };
}
