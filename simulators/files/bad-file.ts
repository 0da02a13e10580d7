/** An invalid file. The message has one line per mistake, each with file, line, column and path. */
export class BadFile extends Error {
  override readonly name = 'BadFile';
}
