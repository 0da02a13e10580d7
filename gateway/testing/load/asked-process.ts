import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Told } from './tell-memory.ts';

/** A gateway process that tells what it holds. */
export interface AskedProcess {
  readonly url: string;
  readonly pid: number;
  tell(): Promise<Told>;
  /** SIGTERM; resolves with the exit code and the log. */
  stop(): Promise<{ readonly code: number | null; readonly errors: string }>;
}

/** Starts a gateway as it is, with a part of ours imported ahead of it. */
export async function askProcess(configPath: string): Promise<AskedProcess> {
  const child = fork(join(import.meta.dirname, '../../main.ts'), ['--config', configPath], {
    execArgv: ['--import', join(import.meta.dirname, 'tell-memory.ts')],
    silent: true,
  });
  let errors = '';
  // Of a long log the last part is enough.
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
