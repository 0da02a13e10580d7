import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { startDatabaseRelay } from '../store/database-relay.ts';

const run = promisify(execFile);
const script = join(import.meta.dirname, '../../../.ci/postgres');

export type OwnFault = 'stopped' | 'read-only' | 'connections cut' | 'connections silent';

/** A PostgreSQL server that a test may break. */
export interface OwnServer {
  /** Leads through a relay. */
  readonly url: string;
  /** The possible faults. Each resolves once it has begun, with a function that ends it. */
  readonly faults: Readonly<Record<OwnFault, () => Promise<EndFault>>>;
  query(statement: string): Promise<readonly Record<string, unknown>[]>;
  remove(): Promise<void>;
}

/** Resolves when the server is well again. */
export type EndFault = () => Promise<void>;

const cutEachMs = 150;

/** Starts a PostgreSQL server for one caller; see `.ci/postgres`. */
export async function startOwnServer(): Promise<OwnServer> {
  const parent = mkdtempSync(join(tmpdir(), 'gateway-failover-'));
  await chmod(parent, 0o711);
  const dir = join(parent, 'server');
  const direct = (await run(script, ['start', dir])).stdout.trim();
  const relay = await startDatabaseRelay(direct);
  const query = async (statement: string): Promise<readonly Record<string, unknown>[]> => {
    const client = new pg.Client({ connectionString: direct, application_name: 'failover' });
    await client.connect();
    try {
      return (await client.query(statement)).rows;
    } finally {
      await client.end();
    }
  };
  const readOnly = async (isOn: boolean): Promise<void> => {
    await query(`alter system set default_transaction_read_only = ${isOn ? 'on' : 'off'}`);
    await query('select pg_reload_conf()');
  };
  return {
    url: relay.url,
    query,
    faults: {
      stopped: async () => {
        await run(script, ['halt', dir]);
        return async () => void (await run(script, ['resume', dir]));
      },
      'read-only': async () => {
        await readOnly(true);
        return () => readOnly(false);
      },
      'connections cut': async () => {
        const over = new AbortController();
        const cutting = cutSome(query, over.signal);
        return async () => {
          over.abort();
          await cutting;
        };
      },
      'connections silent': async () => {
        relay.freeze();
        return async () => {};
      },
    },
    remove: async () => {
      await relay.close();
      await run(script, ['stop', dir]);
      rmSync(parent, { recursive: true, force: true });
    },
  };
}

/** Repeatedly ends about a third of the gateways' connections. */
async function cutSome(query: OwnServer['query'], over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    await query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name like 'gatecheck%' and random() < 0.3`,
    );
    await new Promise((resolve) => setTimeout(resolve, cutEachMs));
  }
}
