import type { Writable } from 'node:stream';

/** Goes on without who read the output: `gatecheck list | head` has what it wants, and a run ends with its own exit code. */
export function outliveReader(output: Writable): void {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
