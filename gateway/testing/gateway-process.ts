import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A running gateway process, or its output if it has ended. */
export interface Running {
  readonly pid: number;
  readonly url: string;
  readonly stop: (signal: NodeJS.Signals) => void;
  readonly endOfInput: () => void;
  readonly exit: Promise<{ code: number | null; errors: string }>;
}

/** Starts a gateway process with this limit of file descriptors. Resolves when it reports ready, or has ended. */
export async function runGateway(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  descriptors: number | null = null,
): Promise<Running> {
  const main = join(import.meta.dirname, '../main.ts');
  const limited = ['-c', `ulimit -n ${descriptors} && exec "$0" "$@"`, process.execPath];
  const [command, before] = descriptors === null ? [process.execPath, []] : ['/bin/sh', limited];
  const child = spawn(command, [...before, main, ...args], { env: { ...process.env, ...env } });
  let output = '';
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const exit = once(child, 'close').then(([code]) => ({ code, errors }));
  const ready = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk) => {
      output += chunk;
      if (output.includes('\n')) resolve();
    });
  });
  await Promise.race([ready, exit]);
  const url = output === '' ? '' : JSON.parse(output).base_url;
  return {
    pid: child.pid ?? 0,
    url,
    stop: (signal) => child.kill(signal),
    endOfInput: () => child.stdin.end(),
    exit,
  };
}
