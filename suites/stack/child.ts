import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A process of the stack that has reported to be ready. It ends on request, or when this process ends. */
export interface Child {
  /** The JSON line that it printed when ready. */
  readonly ready: Readonly<Record<string, unknown>>;
  readonly pid: number;
  /** Resolves with the exit code when the process has ended for any reason. */
  readonly ended: Promise<number | null>;
  stop(): Promise<void>;
}

export interface ChildOptions {
  /** Arguments for `node`: flags, script, arguments of the script. */
  readonly args: readonly string[];
  readonly name: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly readyWithinMs?: number;
  /** The child waits for a line on stdin, sent once this has resolved. The child is ended when this rejects. */
  readonly begins?: Promise<unknown>;
  /** Ends the process at once while it is not ready. */
  readonly signal?: AbortSignal | undefined;
  /** Called with its output on stdout and stderr, as it arrives. */
  readonly onOutput?: (text: string) => void;
}

/** A process of the stack did not start; the message contains its last output. */
export class StartError extends Error {
  override readonly name = 'StartError';
  /** Its exit code; null when it did not end by itself. */
  readonly childCode: number | null;
  constructor(message: string, childCode: number | null) {
    super(message);
    this.childCode = childCode;
  }
}

/** How much of the end of stderr is kept for the message of a failed start, bytes. */
const stderrTail = 4_000;

/**
 * Starts a Node process and waits for its line of JSON on stdout. Its stdin stays open: when this process dies for any
 * reason, the child sees the end of stdin and exits.
 * @throws StartError with the last output of the process, when it ends early or is not ready in time; the error of `begins`.
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
  const leave = (): boolean => child.kill('SIGKILL');
  options.signal?.addEventListener('abort', leave, { once: true });
  if (options.signal?.aborted) leave();
  try {
    await Promise.race([options.begins, ended]);
    if (options.begins !== undefined) child.stdin.write('\n');
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  const line = await firstLine(child, ended, options.readyWithinMs ?? 60_000);
  options.signal?.removeEventListener('abort', leave);
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

/** The part of its last output that helps a person: its own sentences rather than its log, if there are any. */
function sentences(lastWords: string): string {
  const lines = lastWords.split('\n').filter((line) => line.trim() !== '');
  const spoken = lines
    .filter((line) => !line.startsWith('{'))
    // Who it is has been said.
    .map((line) => line.replace(/^The [a-z ]+ could not start: /, ''));
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

/** Ends the process, and kills it if it has not ended within 5 s. */
async function stop(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const limit = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await ended;
  clearTimeout(limit);
}
