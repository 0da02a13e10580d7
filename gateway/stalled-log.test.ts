import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { testConfig } from './testing/test-gateway.ts';

const directory = mkdtempSync(join(tmpdir(), 'gateway-log-'));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Log lines worth several times the capacity of a pipe. */
const requests = 1_200;
const atOnce = 20;

function configFile(): string {
  const { chat_models, accounts, channels } = testConfig('http://127.0.0.1:9');
  const path = join(directory, 'gateway.yaml');
  const store = { data_dir: join(directory, 'data') };
  writeFileSync(
    path,
    stringify({ listen: {}, store, key_pepper: 'a pepper for tests', chat_models, accounts, channels }),
  );
  return path;
}

/** A pipe whose read end is open but never read, and the descriptor of that end. */
function unreadPipe(): { readEnd: number; writeEnd: number } {
  const path = join(directory, 'log');
  execFileSync('mkfifo', [path]);
  const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return { readEnd, writeEnd: openSync(path, constants.O_WRONLY) };
}

async function askMany(url: string): Promise<number[]> {
  const statuses: number[] = [];
  const work = async (): Promise<void> => {
    while (statuses.length < requests) {
      const place = statuses.push(0) - 1;
      const answer = await fetch(`${url}/api/v1/models`, { headers: { authorization: 'Bearer nobody' } });
      await answer.arrayBuffer();
      statuses[place] = answer.status;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return statuses;
}

it('serves and stops while its log is not read', { timeout: 240_000 }, async () => {
  const { readEnd, writeEnd } = unreadPipe();
  const main = join(import.meta.dirname, 'main.ts');
  const child = spawn(process.execPath, [main, '--config', configFile()], {
    stdio: ['ignore', 'pipe', writeEnd],
  });
  closeSync(writeEnd);
  try {
    const exit = once(child, 'exit');
    if (child.stdout === null) throw new Error('no output');
    const [ready] = (await once(child.stdout, 'data')) as [Buffer];
    const statuses = await askMany(JSON.parse(ready.toString()).base_url);
    expect(new Set(statuses)).toEqual(new Set([401]));
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
    const read = Buffer.alloc(100_000);
    const lines = read.toString('utf8', 0, readSync(readEnd, read)).split('\n');
    expect(lines.slice(0, -1).map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ msg: 'request', status: 401 }),
    );
  } finally {
    child.kill('SIGKILL');
    closeSync(readEnd);
  }
});
