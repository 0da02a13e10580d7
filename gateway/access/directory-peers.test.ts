import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RealClock, TestClock } from '../clock.ts';
import { changeDirectory } from '../store/change-directory.ts';
import type { Notices } from '../store/server-session.ts';
import { openStore, type Store } from '../store/store.ts';
import { seedOneKey } from '../testing/store/seed-one-key.ts';
import { type FreshPlace, server, silentLog } from '../testing/store/test-stores.ts';
import { createLeasedInstances } from '../work/leased-instances.ts';
import { createDirectory, type Directory } from './directory.ts';
import { createDirectoryPeers } from './directory-peers.ts';
import { createKeyRing } from './key-ring.ts';

interface Process {
  readonly directory: Directory;
  readonly clock: TestClock;
  readonly isDisabled: () => boolean | undefined;
  /** Ends the process as a kill would: without leaving the list of readers. */
  kill(): Promise<void>;
}

const stepMs = 100;
const deaf: Pick<Notices, 'onNotice'> = { onNotice: () => {} };

// An embedded store belongs to one process.
describe.skipIf(server.isMissing)('directories of processes on one server', () => {
  let fresh: FreshPlace;
  let store: Store;
  const ends: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    fresh = await server.fresh();
    store = await openStore({ ...fresh.place, log: silentLog });
    await seedOneKey(store.db);
  });
  afterAll(async () => {
    for (const end of ends) await end();
    await store.close();
    await fresh.remove();
  });

  async function start(name: string, hears = true, watches = true): Promise<Process> {
    const own = await openStore({ ...fresh.place, log: silentLog });
    const { session: notices, db } = own;
    if (notices === null) throw new Error('a server has a session');
    await expect.poll(() => notices.isHeard).toBe(true);
    const instances = createLeasedInstances({ db, session: notices, name, timer: new RealClock() });
    await instances.join();
    const clock = new TestClock();
    const keys = createKeyRing([], (secret) => secret);
    const peers = createDirectoryPeers({
      ...{ db, instances, timer: clock, log: silentLog },
      notices: hears ? notices : deaf,
    });
    const directory = createDirectory({
      db,
      keys,
      prices: { replace: () => {} },
      channels: { setDrained: () => {} },
      peers,
      timer: clock,
      onFailure: () => {},
    });
    await directory.reload();
    const watch = watches ? directory.watch() : null;
    let isOver = false;
    const kill = async (): Promise<void> => {
      if (isOver) return;
      isOver = true;
      await instances.leave();
      await own.close();
    };
    ends.push(async () => {
      if (!isOver) await watch?.stop();
      await kill();
    });
    return { directory, clock, isDisabled: () => keys.find('one')?.record.disabled, kill };
  }
  const setDisabled = (disabled: boolean): Promise<unknown> =>
    changeDirectory(store.db, (trx) => trx.updateTable('api_keys').set({ disabled }).execute());
  /** Waits until this process reports that the change is in effect everywhere. */
  function finishes(one: Process): { isDone(): boolean } {
    let isDone = false;
    void one.directory.reloadEverywhere().then(() => {
      isDone = true;
    });
    return { isDone: () => isDone };
  }
  const listed = async (): Promise<string[]> =>
    (await store.db.selectFrom('directory_readers').select('process').execute()).map((row) => row.process);

  it('have a change in effect as soon as the process that made it reports so', async () => {
    const one = await start('one');
    const others = [await start('two'), await start('three')];
    for (let turn = 0; turn < 20; turn += 1) {
      await setDisabled(turn % 2 === 0);
      await one.directory.reloadEverywhere();
      expect(others.map((other) => other.isDisabled())).toEqual([turn % 2 === 0, turn % 2 === 0]);
    }
  });

  it('wait for a process that hears no notices until its lease runs out', async () => {
    const one = await start('changes');
    const other = await start('hears nothing', false, false);
    await setDisabled(true);
    const done = finishes(one);
    const goOn = async (): Promise<boolean> => {
      // The change is not reported as done while another process still accepts keys by the old state.
      expect(done.isDone() && other.directory.isFresh).toBe(false);
      await other.clock.advance(stepMs);
      await one.clock.advance(stepMs);
      return done.isDone();
    };
    await expect.poll(goOn, { timeout: 20_000 }).toBe(true);
    expect([other.directory.isFresh, other.isDisabled()]).toEqual([false, false]);
    await other.directory.look();
    expect([other.directory.isFresh, other.isDisabled()]).toEqual([true, true]);
    // It is alive, so the next change waits for it again.
    expect(await listed()).toContain('hears nothing');
  });

  it('read all keys again when the database has lost their reports', async () => {
    const one = await start('remembers', false, false);
    await setDisabled(true);
    await one.directory.look();
    expect(one.isDisabled()).toBe(true);
    // As after a failover to a server that was behind: other changes have the same revisions.
    await setDisabled(false);
    await store.db.updateTable('key_revisions').set({ revision: 0n }).execute();
    await store.db.updateTable('directory_readers').set({ revision: 0n }).execute();
    await one.directory.look();
    expect(one.isDisabled()).toBe(false);
  });

  it('forget one that is gone after they have waited for it once', async () => {
    const one = await start('lives');
    const other = await start('dies');
    await other.kill();
    await setDisabled(false);
    const done = finishes(one);
    const goOn = async (): Promise<boolean> => {
      await one.clock.advance(stepMs);
      return done.isDone();
    };
    await expect.poll(goOn, { timeout: 20_000 }).toBe(true);
    expect(await listed()).not.toContain('dies');
  });
});
