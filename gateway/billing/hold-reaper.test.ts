import { describe, expect, it, vi } from 'vitest';
import { TestClock } from '../clock.ts';
import { tasksHolder } from '../store/ledger-tables.ts';
import { openStore } from '../store/store.ts';
import { createStoreLink } from '../store/store-link.ts';
import { useLedger } from '../testing/billing/ledger-bench.ts';
import { sampleLedger } from '../testing/billing/sample-ledger.ts';
import { sampleUsage } from '../testing/billing/sample-usage.ts';
import { silentLog, storeKinds } from '../testing/store/test-stores.ts';
import { createSoleInstance } from '../work/instances.ts';

const at = Date.UTC(2026, 10, 22);

describe.each(storeKinds)('orphaned holds on a store of kind $name', (kind) => {
  const harness = useLedger(kind);

  async function hold(requestId: string, ledger = harness.ledger): Promise<string> {
    return ledger.hold({ requestId, accountId: 'acct', amount: 10n, overshoots: true, atMs: at });
  }

  it('are released when a ledger opens, except its own and those of tasks', async () => {
    await Promise.all(Array.from({ length: 250 }, (_, n) => hold(`dead-${n}`)));
    const heir = sampleLedger(harness.store.db, { instances: createSoleInstance('gw_heir') });
    await hold('own', heir);
    await hold('of a task');
    harness.ledger.entrust('of a task');
    const entrusted = harness.store.db.updateTable('open_holds').set({ holder: tasksHolder });
    await entrusted.where('request_id', '=', 'of a task').execute();
    await heir.open();
    expect(await harness.openHolds()).toEqual(['of a task', 'own']);
    expect(await harness.totalsOf('acct', at)).toEqual({ posted: 0n, held: 20n, tokens: 0n });
    // The hold of a task ends with the task, in any process.
    await heir.settle(sampleUsage('of a task', { account_id: 'acct', charge_pico: 3n, ended_at_ms: at }));
    expect(await harness.openHolds()).toEqual(['own']);
    expect(await harness.totalsOf('acct', at)).toMatchObject({ posted: -3n, held: 10n });
    expect(await harness.entriesOf('dead-7')).toEqual([
      'hold:dead-7 hold credits -10',
      'hold:dead-7 hold held 10',
      'end:dead-7 void credits 10',
      'end:dead-7 void held -10',
    ]);
    await heir.release('own', at);
    await heir.close();
  });

  it('are never those that are held besides for a task, until it has been settled', async () => {
    const dead = sampleLedger(harness.store.db, { instances: createSoleInstance('gw_dead') });
    const heir = sampleLedger(harness.store.db, { instances: createSoleInstance('gw_heir2') });
    const more = {
      requestId: 't:beyond',
      accountId: 't',
      amount: 5n,
      overshoots: false,
      atMs: at,
      ofTask: 't',
    };
    await dead.hold({ requestId: 't', accountId: 't', amount: 10n, overshoots: false, atMs: at });
    await harness.store.db
      .updateTable('open_holds')
      .set({ holder: tasksHolder })
      .where('request_id', '=', 't')
      .execute();
    expect(await dead.hold(more)).toBe('held');
    await heir.open();
    expect(await harness.openHolds()).toEqual(['t', 't:beyond']);
    // The process that takes the task over finds it.
    expect(await heir.hold(more)).toBe('held');
    expect(await harness.totalsOf('t', at)).toMatchObject({ held: 15n });
    await heir.settle(sampleUsage('t', { account_id: 't', charge_pico: 12n, ended_at_ms: at }));
    await heir.releaseOfTask('t:beyond', at);
    // A paused process that goes on holds nothing that nobody would release.
    expect(await dead.hold({ ...more, requestId: 't:late' })).toBe('held');
    expect(await harness.openHolds()).toEqual([]);
    expect(await harness.totalsOf('t', at)).toMatchObject({ posted: -12n, held: 0n });
    await heir.close();
    await dead.close();
  });

  it('are released as soon as the database is reachable again', async () => {
    const link = createStoreLink();
    // Two processes cannot share a data directory, so an embedded store gets a directory of its own.
    const isEmbedded = harness.store.kind === 'embedded';
    const place = isEmbedded ? await kind.fresh() : harness.place;
    const store = await openStore({ ...place.place, log: silentLog, link });
    const timer = new TestClock();
    const warn = vi.fn();
    const ledger = sampleLedger(store.db, {
      instances: createSoleInstance('gw_cut'),
      timer,
      log: { ...silentLog, info: () => {}, warn },
    });
    for (const id of ['to release', 'to settle', 'to keep']) await hold(id, ledger);
    await link.stop();
    await expect(ledger.settle(sampleUsage('to settle'))).rejects.toThrow('was not kept');
    await ledger.release('to release', at);
    await expect(hold('refused', ledger)).rejects.toThrow();
    await timer.advance(7_000);
    expect(warn.mock.calls.length).toBeGreaterThan(1);
    link.start();
    const held = async (): Promise<string[]> =>
      (
        await store.db.selectFrom('open_holds').select('request_id').where('holder', '=', 'gw_cut').execute()
      ).map((row) => row.request_id);
    expect((await held()).length).toBe(3);
    await timer.advance(30_000);
    await expect.poll(held).toEqual(['to keep']);
    expect(timer.nextDue()).toBeNull();
    await link.stop();
    await ledger.release('to keep', at);
    await timer.advance(1_000);
    link.start();
    await ledger.close();
    expect(await held()).toEqual([]);
    await store.close();
    if (isEmbedded) await place.remove();
  });
});
