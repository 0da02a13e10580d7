import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Upstreams of all dialects in their own process, so that their work does not count as the gateway's. */
export async function startShortUpstream(): Promise<{ readonly url: string; stop(): void }> {
  const child = fork(join(import.meta.dirname, 'short-upstream-process.ts'));
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  return { url, stop: () => child.disconnect() };
}
