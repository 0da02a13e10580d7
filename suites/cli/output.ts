import type { Writable } from 'node:stream';

/**
 * What a CI runner treats as a command at the start of a line, after blanks: GitHub, TeamCity, and sections of GitLab. For .NET,
 * U+0085 is a blank as well.
 */
const atStart = /^(?:[^\S\n\r]|\u0085)*(?:::|##|section_(?:start|end):)/gm;
/** What GitHub, Azure, TeamCity and Continua search for in the whole line. */
const anywhere = /(?:##|@@)\w{0,64}\[/g;
const [startMark, innerMark] = ['· ', '·'];
/** How much of an unfinished line is kept: a command can continue in the next write. */
const keptLength = 80;

/**
 * The text with a mark in each command that a CI runner would read in it, so that a deployment's text commands nothing.
 * `before`: the written part of the line that the text continues.
 */
export function inert(text: string, before = ''): string {
  const whole = before + text;
  const marks: { readonly at: number; readonly mark: string }[] = [];
  const note = (found: RegExpExecArray, within: number, mark: string): void => {
    const isNew = found.index + found[0].length > before.length;
    if (isNew) marks.push({ at: Math.max(found.index + within, before.length), mark });
  };
  for (const found of whole.matchAll(atStart)) note(found, 0, startMark);
  for (const found of whole.matchAll(anywhere)) note(found, 2, innerMark);
  marks.sort((one, other) => one.at - other.at);
  let [marked, from] = ['', before.length];
  for (const { at, mark } of marks) {
    marked += whole.slice(from, at) + mark;
    from = at;
  }
  return marked + whole.slice(from);
}

/**
 * Controls that no output of this program has: terminals obey those above U+007F as well, and some turn the order of what is
 * shown around. JSON does not escape them.
 */
const controls = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** The text with those controls as JSON writes them. */
function withoutControls(text: string): string {
  return text.replace(controls, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The end of the unfinished line of a text, without blanks before it. */
function unfinishedIn(text: string): string {
  const line = (/[^\r\n]*$/.exec(text)?.[0] ?? '').trimStart();
  return line.length <= keptLength ? line : `…${line.slice(-keptLength)}`;
}

/**
 * Prepares an output of the command line. A closed pipe does not end the command: `gatecheck list | head` works, and a run
 * keeps its own exit code. Controls are escaped, and where the output is no terminal, each line is made inert.
 * @returns a function that sends this program's own commands to a CI runner
 */
export function prepareOutput(output: Writable & { readonly isTTY?: boolean }): (text: string) => void {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  const write = output.write.bind(output) as Writable['write'];
  const isTerminal = output.isTTY === true;
  let line = '';
  output.write = ((chunk: unknown, ...rest: never[]) => {
    if (typeof chunk !== 'string') return (write as (...all: unknown[]) => boolean)(chunk, ...rest);
    const shown = withoutControls(chunk);
    const text = isTerminal ? shown : inert(shown, line);
    line = unfinishedIn(line + text);
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
