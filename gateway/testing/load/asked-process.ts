import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Told } from './tell-memory.ts';

/** A gateway process that reports its memory and handles on request. */
export interface AskedProcess {
  readonly url: string;
  readonly pid: number;
  tell(): Promise<Told>;
  /** Sends SIGTERM; resolves with the exit code and the log. */
  stop(): Promise<{ readonly code: number | null; readonly errors: string }>;
}

/** Starts an unmodified gateway, with a reporting module imported ahead of it. */
export async function askProcess(configPath: string): Promise<AskedProcess> {
  const child = fork(
    join(import.meta.dirname, '../../main.ts'),
    ['--config', configPath, '--exit-with-stdin'],
    {
      execArgv: ['--import', join(import.meta.dirname, 'tell-memory.ts')],
      silent: true,
    },
  );
  let errors = '';
  // Of a long log, keep only the end.
  child.stderr?.on('data', (chunk) => {
    errors = (errors + chunk).slice(-1_000_000);
  });
  const exit = once(child, 'close').then(([code]) => ({ code, errors }));
  const output = await Promise.race([
    new Promise<string>((resolve) => child.stdout?.once('data', (chunk) => resolve(String(chunk)))),
    exit.then(() => ''),
  ]);
  if (output === '') throw new Error(errors);
  return {
    url: JSON.parse(output).base_url,
    pid: child.pid ?? 0,
    tell: async () => {
      child.send('tell');
      const [told] = (await once(child, 'message')) as [Told];
      return told;
    },
    stop: () => {
      child.kill('SIGTERM');
      return exit;
    },
  };
}
