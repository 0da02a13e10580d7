/** A text as one word of a POSIX shell: unchanged when the shell would not interpret it, otherwise in single quotes. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
