import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyCluster } from '../testing/store/test-cluster.ts';
import { freshCluster, freshDataDir, silentLog } from '../testing/store/test-stores.ts';
import { openStore } from './store.ts';
import { DataDirLocked, StoreError } from './store-errors.ts';

const holderScript = fileURLToPath(new URL('../testing/store/hold-data-dir.ts', import.meta.url));

interface Holder {
  process: ChildProcess;
  firstLine: string;
}

async function startHolder(dataDir: string): Promise<Holder> {
  const child = spawn(process.execPath, [holderScript, dataDir], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [firstLine] = await once(createInterface(child.stdout), 'line');
  return { process: child, firstLine: String(firstLine) };
}

// These tests start and stop databases: two seconds when idle, half a minute on a busy machine.
describe('the embedded store', { timeout: 300_000 }, () => {
  let dataDir: string;
  let remove: () => Promise<void>;

  beforeEach(async () => {
    const fresh = await freshCluster();
    dataDir = fresh.place.dataDir;
    remove = fresh.remove;
  }, 300_000);

  afterEach(() => remove());

  it('creates a database in an empty directory and opens it again', async () => {
    const empty = freshDataDir();
    const made = await openStore({ ...empty.place, log: silentLog });
    await sql`insert into accounts (id) values ('kept')`.execute(made.db);
    await made.close();
    const found = await openStore({ ...empty.place, log: silentLog });
    expect((await sql`select id from accounts`.execute(found.db)).rows).toEqual([{ id: 'kept' }]);
    await found.close();
    await empty.remove();
  });

  it('locks its directory for one process, and frees it when that process is killed', async () => {
    const holder = await startHolder(dataDir);
    const exited = once(holder.process, 'exit');
    try {
      expect(holder.firstLine).toBe('open');
      const refusal = new DataDirLocked(dataDir, holder.process.pid ?? 0);
      await expect(openStore({ dataDir, log: silentLog })).rejects.toThrow(refusal);

      const second = await startHolder(dataDir);
      expect(second.firstLine).toBe(refusal.message);
      expect(await once(second.process, 'exit')).toEqual([3, null]);
    } finally {
      holder.process.kill('SIGKILL');
      await exited;
    }
    const store = await openStore({ dataDir, log: silentLog });
    await store.close();
  });

  it('leaves only its data behind after closing, and can be closed twice', async () => {
    const store = await openStore({ dataDir, log: silentLog });
    await store.close();
    await store.close();
    expect(readdirSync(dataDir).sort()).toEqual(['gatecheck.lock.db', 'postgres', 'store.json']);
  });

  it('opens in a directory whose path is too long for a socket', async () => {
    const deep = join(dataDir, 'd'.repeat(100));
    await copyCluster(deep);
    const store = await openStore({ dataDir: deep, log: silentLog });
    expect(existsSync(join(deep, 'socket'))).toBe(false);
    expect((await sql<{ one: number }>`select 1 as one`.execute(store.db)).rows).toEqual([{ one: 1 }]);
    await store.close();
  });

  it('names the directory when it does not start, and releases the directory', async () => {
    rmSync(join(dataDir, 'postgres'), { recursive: true });
    mkdirSync(join(dataDir, 'postgres'));
    writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '9.1\n');
    mkdirSync(join(dataDir, 'postgres', 'global'));
    writeFileSync(join(dataDir, 'postgres', 'global', 'pg_control'), '');
    for (let attempt = 0; attempt < 2; attempt++) {
      const refused = openStore({ dataDir, log: silentLog });
      await expect(refused).rejects.toThrow(StoreError);
      await expect(refused).rejects.toThrow(
        `The embedded database in ${join(dataDir, 'postgres')} did not start`,
      );
    }
  });

  it('rejects another database in place of its own', async () => {
    const [own, other] = [await openStore({ dataDir, log: silentLog }), await freshCluster()];
    await own.close();
    const made = await openStore({ ...other.place, log: silentLog });
    await made.close();
    rmSync(join(dataDir, 'postgres'), { recursive: true });
    cpSync(join(other.place.dataDir, 'postgres'), join(dataDir, 'postgres'), { recursive: true });
    for (let attempt = 0; attempt < 2; attempt++)
      await expect(openStore({ dataDir, log: silentLog })).rejects.toThrow(
        `The database in ${dataDir} is not the one that belongs there`,
      );
    await other.remove();
  });

  it('rejects a ledger that has lost entries, also after its process was killed', async () => {
    const store = await openStore({ dataDir, log: silentLog });
    const entry = sql`
      insert into ledger_entries (transfer_id, kind, account_id, book, amount_pico, posted_at)
      values ('t1', 'grant', 'acc', 'credits', 5, now()), ('t1', 'grant', 'acc', 'grants', -5, now())`;
    await sql`insert into accounts (id) values ('acc')`.execute(store.db);
    await entry.execute(store.db);
    await store.close();
    const kept = readFileSync(join(dataDir, 'store.json'), 'utf8');
    expect(JSON.parse(kept).ledger).toMatchObject({ entries: '2', gained_pico: '5' });

    const again = await openStore({ dataDir, log: silentLog });
    await sql`alter table ledger_entries disable trigger user`.execute(again.db);
    await sql`delete from ledger_entries where amount_pico > 0`.execute(again.db);
    await again.close();
    writeFileSync(join(dataDir, 'store.json'), kept);
    await expect(openStore({ dataDir, log: silentLog })).rejects.toThrow(
      `The ledger in ${dataDir} is damaged: 1 of its first 2 entries are there`,
    );
  });

  it('records at each checkpoint what its ledger held at the previous one', async () => {
    const store = await openStore({ dataDir, log: silentLog });
    const kept = (): unknown => JSON.parse(readFileSync(join(dataDir, 'store.json'), 'utf8')).ledger;
    const grant = (transfer: string): Promise<unknown> =>
      sql`
        insert into ledger_entries (transfer_id, kind, account_id, book, amount_pico, posted_at)
        values (${transfer}, 'grant', 'acc', 'credits', 5, now()), (${transfer}, 'grant', 'acc', 'grants', -5, now())`.execute(
        store.db,
      );
    await sql`insert into accounts (id) values ('acc')`.execute(store.db);
    await grant('t1');
    await store.checkpoint?.();
    await grant('t2');
    expect(kept()).toMatchObject({ entries: '0' });
    await store.checkpoint?.();
    expect(kept()).toMatchObject({ entries: '2', gained_pico: '5' });
    await store.checkpoint?.();
    await store.checkpoint?.();
    expect(kept()).toMatchObject({ entries: '4', gained_pico: '10' });

    // A crash: nothing more is recorded, and the newest entries are lost.
    const atCrash = readFileSync(join(dataDir, 'store.json'), 'utf8');
    await sql`alter table ledger_entries disable trigger user`.execute(store.db);
    await sql`delete from ledger_entries where transfer_id = 't2'`.execute(store.db);
    await store.close();
    writeFileSync(join(dataDir, 'store.json'), atCrash);
    await expect(openStore({ dataDir, log: silentLog })).rejects.toThrow(
      '2 of its first 4 entries are there',
    );
  });

  it('reports its failure once, rejects every waiting query, and still closes', async () => {
    const failures: StoreError[] = [];
    const store = await openStore({ dataDir, log: silentLog, onFailure: (error) => failures.push(error) });
    await sql`
      create function endless(depth integer) returns integer language plpgsql as $$
      begin
        return endless(depth + 1);
      end $$`.execute(store.db);
    // Checked out but idle: only the connection itself can notice that it broke.
    await store.db.connection().execute(async (held) => {
      await sql`select 1`.execute(held);
      // An exhausted stack is a trap in the engine. After that no statement of the engine can be trusted.
      const trap = sql`select endless(0)`.execute(store.db);
      const waiting = Promise.allSettled(Array.from({ length: 20 }, () => sql`select 1`.execute(store.db)));
      await expect(trap).rejects.toThrow();
      await waiting;
      await expect(sql`select 1`.execute(held)).rejects.toThrow();
    });
    await expect(sql`select 1`.execute(store.db)).rejects.toThrow();
    expect(failures.map((error) => error.message)).toEqual([
      expect.stringContaining(`The embedded database in ${join(dataDir, 'postgres')} stopped: `),
    ]);
    await store.close();

    const again = await openStore({ dataDir, log: silentLog });
    await again.close();
  });
});
