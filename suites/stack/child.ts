import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A process of the stack: it has said it is ready, and ends when asked or when we do. */
export interface Child {
  /** The one JSON line it printed when ready. */
  readonly ready: Readonly<Record<string, unknown>>;
  readonly pid: number;
  /** Resolves when the process has ended, however it did. */
  readonly ended: Promise<number | null>;
  stop(): Promise<void>;
}

export interface ChildOptions {
  /** Arguments for `node`: flags, script, arguments of the script. */
  readonly args: readonly string[];
  readonly name: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly readyWithinMs?: number;
  /** Told what it writes to stdout and stderr, as it comes. */
  readonly onOutput?: (text: string) => void;
}

/** A process of the stack did not come up; the message holds its last words. */
export class StartError extends Error {
  override readonly name = 'StartError';
  /** Its exit code; null when it had not ended by itself. */
  readonly childCode: number | null;
  constructor(message: string, childCode: number | null) {
    super(message);
    this.childCode = childCode;
  }
}

/** The end of what a process wrote to stderr is kept for the message of a failed start, bytes. */
const stderrTail = 4_000;

/**
 * Starts a Node process and waits for its one line of JSON on stdout.
 * Its stdin stays open as a leash: when this process dies, however it dies, the child sees the end of it and leaves.
 * @throws StartError with the last words of the process when it ends or stays silent.
 */
export async function startChild(options: ChildOptions): Promise<Child> {
  const child = spawn(process.execPath, options.args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: options.env ?? process.env,
  });
  let lastWords = '';
  child.stderr.on('data', (bytes: Buffer) => {
    const text = bytes.toString('utf8');
    lastWords = (lastWords + text).slice(-stderrTail);
    options.onOutput?.(text);
  });
  child.stdout.on('data', (bytes: Buffer) => options.onOutput?.(bytes.toString('utf8')));
  child.stdin.on('error', () => undefined);
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const line = await firstLine(child, ended, options.readyWithinMs ?? 60_000);
  if (line === null) {
    child.kill('SIGKILL');
    throw new StartError(`${options.name} did not start: ${sentences(lastWords)}`, child.exitCode);
  }
  return {
    ready: JSON.parse(line) as Record<string, unknown>,
    pid: child.pid ?? 0,
    ended,
    stop: () => stop(child, ended),
  };
}

/** What a person can use of its last words: its own sentences rather than its log, when there are any. */
function sentences(lastWords: string): string {
  const lines = lastWords.split('\n').filter((line) => line.trim() !== '');
  const spoken = lines.filter((line) => !line.startsWith('{'));
  return (spoken.length > 0 ? spoken : lines).join('\n') || 'it said nothing';
}

async function firstLine(
  child: ChildProcess,
  ended: Promise<unknown>,
  withinMs: number,
): Promise<string | null> {
  if (!child.stdout) return null;
  const lines = createInterface({ input: child.stdout });
  let limit: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    limit = setTimeout(resolve, withinMs, null);
  });
  const line = once(lines, 'line').then(([text]) => text as string);
  const first = await Promise.race([line, ended.then(() => null), late]);
  clearTimeout(limit);
  lines.close();
  child.stdout.resume();
  return first;
}

/** Asks it to end and, when it does not within 5 s, ends it. */
async function stop(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const limit = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await ended;
  clearTimeout(limit);
}
