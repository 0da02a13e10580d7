import type { Writable } from 'node:stream';

/**
 * What a CI runner treats as a command at the start of a line, after blanks: GitHub, Azure and TeamCity, and sections of
 * GitLab.
 */
const command = /^(?=[^\S\n]*(?:::|##|section_(?:start|end):))/gm;
const inertMark = '· ';

/**
 * The text with a mark before each line that a CI runner would treat as a command, so that a deployment's text commands
 * nothing.
 */
export function inert(text: string, continuesLine = false): string {
  // Runners end lines at carriage returns as well.
  return text
    .split('\r')
    .map((part, place) =>
      place === 0 && continuesLine
        ? part.replace(/\n[\s\S]*/, (rest) => `\n${rest.slice(1).replace(command, inertMark)}`)
        : part.replace(command, inertMark),
    )
    .join('\r');
}

/**
 * Prepares an output of the command line. A closed pipe does not end the command: `gatecheck list | head` works, and a run
 * keeps its own exit code. Where the output is no terminal, each line is made inert.
 * @returns a function that sends this program's own commands to a CI runner
 */
export function prepareOutput(output: Writable & { readonly isTTY?: boolean }): (text: string) => void {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  const write = output.write.bind(output) as Writable['write'];
  if (output.isTTY === true) return (text) => void write(text);
  let continuesLine = false;
  output.write = ((chunk: unknown, ...rest: never[]) => {
    if (typeof chunk !== 'string') return (write as (...all: unknown[]) => boolean)(chunk, ...rest);
    const text = inert(chunk, continuesLine);
    if (chunk !== '') continuesLine = !/[\r\n]$/.test(chunk);
    return (write as (...all: unknown[]) => boolean)(text, ...rest);
  }) as Writable['write'];
  return (text) => void write(text);
}

let commandRunner = (text: string): void => void process.stdout.write(text);

/** Prepares stdout and stderr, once, before anything is written. */
export function prepareOutputs(): void {
  commandRunner = prepareOutput(process.stdout);
  prepareOutput(process.stderr);
}

/** Gives a command to the CI runner that reads stdout. */
export function sayToRunner(text: string): void {
  commandRunner(text);
}
