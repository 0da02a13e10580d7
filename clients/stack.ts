import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** The reference stack in its own process, used by one caller through `gatecheck watch`. */
export interface Stack {
  readonly url: string;
  readonly key: string;
  /** Sets the answers of the simulated upstreams to this caller's next calls, in order; the last one repeats. */
  script(replies: readonly object[]): Promise<void>;
  /** Ends all calls at the upstreams, which answer as usual then. */
  reset(): Promise<void>;
  /** The bodies that reached the upstreams since the last script. */
  upstreamBodies(): Promise<string>;
  /** Resolves once a call hangs at an upstream. */
  hanging(): Promise<void>;
  /** Resolves with the findings of the watch; null without findings. */
  close(): Promise<string | null>;
}

interface Target {
  readonly tenants: readonly [{ readonly name: string; readonly keys: { readonly K1: string } }];
  readonly upstream: { readonly control: string };
}

interface Journal {
  readonly entries: readonly {
    readonly request: { readonly body_base64: string };
    readonly reply: { readonly waiting_at: string | null };
  }[];
}

const launcher = fileURLToPath(new URL('../suites/cli/gatecheck.mjs', import.meta.url));

export async function startStack(): Promise<Stack> {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-clients-'));
  const target = join(folder, 'target.yaml');
  const child = spawn(process.execPath, [launcher, 'up', '--target-out', target], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const lines = createInterface(child.stdout);
  const first = (await Promise.race([once(lines, 'line'), closed])) as [string];
  const { base_url: gateway } = JSON.parse(String(first[0])) as { base_url: string };
  const { tenants, upstream } = parse(readFileSync(target, 'utf8')) as Target;
  const [{ name, keys }] = tenants;
  const tenant = `${upstream.control}/tenants/${name}`;
  const watch = await startWatch(launcher, gateway, join(folder, 'watch'));
  return {
    url: watch.url,
    key: keys.K1,
    reset: async () => void (await call('POST', `${tenant}/reset`)),
    script: async (replies) => {
      await call('POST', `${tenant}/reset`);
      await call('POST', `${tenant}/scripts`, { replies });
    },
    upstreamBodies: async () => {
      const { entries } = (await call('GET', `${tenant}/journal`)) as Journal;
      return entries
        .map(({ request }) => Buffer.from(request.body_base64, 'base64').toString('utf8'))
        .join('\n');
    },
    hanging: async () => {
      const { entries } = (await call('GET', `${tenant}/journal?waiting=1`)) as Journal;
      if (!entries.some(({ reply }) => reply.waiting_at !== null)) throw new Error('no call hangs');
    },
    close: async () => {
      const found = await watch.close();
      child.kill('SIGTERM');
      await closed;
      rmSync(folder, { recursive: true });
      return found;
    },
  };
}

async function call(method: string, url: string, body?: object): Promise<unknown> {
  const answer = await fetch(url, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${text}`);
  return text === '' ? null : JSON.parse(text);
}

/** `gatecheck watch` between clients and the gateway. */
interface Watch {
  readonly url: string;
  /** What it says at its end, where it found something or could not judge; null where nothing was broken. */
  close(): Promise<string | null>;
}

async function startWatch(launcher: string, upstream: string, out: string): Promise<Watch> {
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
