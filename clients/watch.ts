import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

/** `gatecheck watch` between clients and the gateway. */
export interface Watch {
  readonly url: string;
  /** What it says at its end, where it found something or could not judge; null where nothing was broken. */
  close(): Promise<string | null>;
}

export async function startWatch(launcher: string, upstream: string, out: string): Promise<Watch> {
  const child = spawn(
    process.execPath,
    [launcher, 'watch', '--upstream', upstream, '--listen', '0', '--out', out],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const closed = once(child, 'close');
  const said = text(child.stdout);
  const [first] = (await Promise.race([once(createInterface(child.stdout), 'line'), closed])) as [string];
  const { watch_url: url } = JSON.parse(String(first)) as { watch_url: string };
  return {
    url,
    close: async () => {
      child.kill('SIGTERM');
      const [code] = (await closed) as [number | null];
      return code === 0 ? null : `the watch between clients and gateway ended with ${code}:\n${await said}`;
    },
  };
}
