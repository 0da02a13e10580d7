import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

// `node gateway/testing/load/idle-memory.ts [seconds]`, on Linux: memory of an idle gateway on its embedded store in MB, with
// a new data directory and with an existing one.

const gatewayMain = fileURLToPath(new URL('../../main.ts', import.meta.url));
const idleMs = Number(process.argv[2] ?? 15) * 1_000;
/** The minimum that PGlite's memory reserves, in KB. A gateway has no other writable mapping of that size. */
const engineKb = 128 * 1024;

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-memory-'));
const config = join(folder, 'gateway.json');
writeFileSync(
  config,
  JSON.stringify({
    listen: { host: '127.0.0.1', port: 0 },
    store: { data_dir: join(folder, 'data') },
    key_pepper: 'only-for-this-measurement-0123456789',
    accounts: [],
    channels: [],
    prices: {},
  }),
);
for (const directory of ['new', 'there already']) {
  const child = spawn(process.execPath, [gatewayMain, '--config', config, '--exit-with-stdin'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  await once(createInterface(child.stdout), 'line');
  await wait(idleMs);
  process.stdout.write(`${JSON.stringify({ directory, ...memoryOf(child.pid ?? 0) })}\n`);
  child.stdin.end();
  await ended;
}
rmSync(folder, { recursive: true });

function memoryOf(pid: number): Readonly<Record<'resident' | 'private' | 'engine' | 'peak', number>> {
  const read = (file: string): string => readFileSync(`/proc/${pid}/${file}`, 'utf8');
  const [all, status] = [read('smaps_rollup'), read('status')];
  const maps = read('smaps').split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m);
  const engine = maps.filter((map) => / rw-p /.test(map) && kilobytes(map, 'Size') >= engineKb);
  const megabytes = (kb: number): number => Math.round(kb / 1024);
  return {
    resident: megabytes(kilobytes(all, 'Rss')),
    private: megabytes(kilobytes(all, 'Private_Dirty')),
    engine: megabytes(engine.reduce((sum, map) => sum + kilobytes(map, 'Rss'), 0)),
    peak: megabytes(kilobytes(status, 'VmHWM')),
  };
}

function kilobytes(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0);
}
