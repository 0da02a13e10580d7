/** Text of bytes (latin1) as `printf` reads it back: every byte that is no plain character as an octal escape. */
export function printfText(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]|[%\\']/g, (letter) => {
    if (letter === '\r') return '\\r';
    if (letter === '\n') return '\\n';
    if (letter === '%') return '%%';
    return `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`;
  });
}

/** Whether a shell can hold these bytes in a command line: UTF-8 without a zero. */
export function isShellText(bytes: Buffer): boolean {
  return Buffer.from(bytes.toString('utf8')).equals(bytes) && !bytes.includes(0);
}
