import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const script = join(import.meta.dirname, '../../../.ci/pgbouncer');

/** PgBouncer in front of a server. */
export interface Pooler {
  readonly url: string;
  remove(): Promise<void>;
}

/** Starts PgBouncer for the user and the database of this URL; see `.ci/pgbouncer`. */
export async function startPooler(url: string, mode: 'transaction' | 'session'): Promise<Pooler> {
  const parent = mkdtempSync(join(tmpdir(), 'gateway-pooler-'));
  await chmod(parent, 0o711);
  const dir = join(parent, 'pooler');
  const { stdout } = await run(script, ['start', dir, url, mode]);
  return {
    url: stdout.trim(),
    remove: async () => {
      await run(script, ['stop', dir]);
      rmSync(parent, { recursive: true, force: true });
    },
  };
}
