/** A file that cannot be used; the message has one line a fault, each with file, line, column and path. */
export class BadFile extends Error {
  override readonly name = 'BadFile';
}
