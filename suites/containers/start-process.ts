import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { InterruptedError, UnreachableError, UsageError } from '../process/exit-codes.ts';
import type { ProcessSection } from '../profile/container.ts';
import type { Redact } from '../wire/redactor.ts';
import { isReady, readyInTime } from './await-ready.ts';
import type { StartedContainers } from './start-containers.ts';

/** A running process; `stop` ends it and all its children. */
export type StartedProcess = Pick<StartedContainers, 'ready' | 'lastWords' | 'stop'>;

interface StartOptions {
  /** Where paths of the profile begin. */
  readonly folder: string;
  readonly baseUrl: string;
  readonly redact: Redact;
  readonly signal: AbortSignal;
}

const linesInErrors = 15;
/** More lines than any report shows. */
const linesKept = 5_000;
const longestLine = 300;

/** How long a process may take to end by itself, ms. */
const endsWithinMs = 10_000;

/**
 * Starts a deployment by its command, in its own process group.
 * @throws UsageError for a missing program, and where a server already answers; InterruptedError
 */
export async function startProcess(
  { command, environment, directory, ready }: ProcessSection,
  { folder, baseUrl, redact, signal }: StartOptions,
): Promise<StartedProcess> {
  if (await isReady(baseUrl, undefined, signal))
    throw new UsageError(
      `process: something answers at ${baseUrl} already; end it, or remove process from the profile`,
    );
  const [program = '', ...args] = command;
  const cwd = resolve(folder, directory);
  const child = spawn(program, args, {
    ...{ cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
    env: { ...process.env, ...environment },
  });
  const tail = tailOf(child);
  const lastWords = async (lines: number): Promise<string[]> =>
    tail(lines).map((line) => redact(line).slice(0, longestLine));
  const over = once(child, 'close').catch(() => undefined);
  const stop = (): Promise<void> => endGroup(child, over);
  await once(child, 'spawn').catch((error: Error) => {
    throw new UsageError(`process.command: ${program} cannot be started in ${cwd}: ${error.message}`);
  });
  const ended = new AbortController();
  child.once('exit', () => ended.abort());
  return {
    lastWords,
    stop,
    ready: async (url) => {
      const until = AbortSignal.any([signal, ended.signal]);
      try {
        await readyInTime(url, ready, { signal: until, lastWords: () => lastWords(linesInErrors) });
        until.throwIfAborted();
      } catch (error) {
        const words = (await lastWords(linesInErrors)).join('\n');
        await stop();
        if (signal.aborted) throw new InterruptedError('interrupted; its process is ended');
        if (!ended.signal.aborted || error instanceof UnreachableError) throw error;
        const how = child.signalCode ?? `code ${child.exitCode}`;
        throw new UnreachableError(`the process ended with ${how} before it could be judged\n${words}`);
      }
    },
  };
}

/** Collects the last output lines of a process, oldest first. */
function tailOf({ stdout, stderr }: ChildProcess): (lines: number) => string[] {
  let text = '';
  for (const output of [stdout, stderr])
    output?.setEncoding('utf8').on('data', (piece: string) => {
      text = (text + piece).slice(-linesKept * longestLine);
    });
  return (lines) =>
    text
      .split(/\r?\n/)
      .filter((line) => line !== '')
      .slice(-lines);
}

/** Sends SIGTERM to the whole group, then SIGKILL. */
async function endGroup(child: ChildProcess, over: Promise<unknown>): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  const tell = (signal: NodeJS.Signals): boolean => {
    try {
      return process.kill(-pid, signal);
    } catch {
      // Nothing of the group is left.
      return false;
    }
  };
  if (!tell('SIGTERM')) return;
  const late = new AbortController();
  await Promise.race([over, wait(endsWithinMs, undefined, { signal: late.signal }).catch(() => undefined)]);
  late.abort();
  tell('SIGKILL');
  await over;
}
