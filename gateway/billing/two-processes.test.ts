import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { RealClock, TestClock } from '../clock.ts';
import { openStore, type Store } from '../store/store.ts';
import { createStoreLink, type StoreLink } from '../store/store-link.ts';
import { useLedger } from '../testing/billing/ledger-bench.ts';
import { sampleLedger } from '../testing/billing/sample-ledger.ts';
import { sampleUsage } from '../testing/billing/sample-usage.ts';
import { server, silentLog } from '../testing/store/test-stores.ts';
import { createLeasedInstances } from '../work/leased-instances.ts';
import type { StoredLedger } from './create-ledger.ts';

const at = Date.UTC(2026, 10, 22);
const accounts = 7;

// An embedded store has one session, so there is no contention.
describe.skipIf(server.isMissing)('two gateways on one server', () => {
  const harness = useLedger({ name: 'server', fresh: server.fresh });
  const timers = [new TestClock(), new TestClock()] as const;
  let stores: [Store, Store];
  let links: [StoreLink, StoreLink];
  let ledgers: [StoredLedger, StoredLedger];

  async function openOne(name: string, timer: TestClock, link: StoreLink): Promise<[Store, StoredLedger]> {
    const store = await openStore({ ...harness.place.place, log: silentLog, link });
    const { db, session } = store;
    if (session === null) throw new Error('a server has a session');
    const instances = createLeasedInstances({ db, session, name, timer: new RealClock() });
    const ledger = sampleLedger(db, { instances, timer });
    await ledger.open();
    return [store, ledger];
  }

  beforeAll(async () => {
    links = [createStoreLink(), createStoreLink()];
    const [one, two] = [
      await openOne('gw_1', timers[0], links[0]),
      await openOne('gw_2', timers[1], links[1]),
    ];
    stores = [one[0], two[0]];
    ledgers = [one[1], two[1]];
  });

  afterAll(async () => {
    for (const ledger of ledgers) await ledger.close();
    for (const store of stores) await store.close();
  });

  it('lose nothing and never block each other when both post to the same accounts', {
    timeout: 60_000,
  }, async () => {
    const clients = 60;
    const rounds = 15;
    const one = async (client: number): Promise<void> => {
      const [mine, other] = client % 2 === 0 ? ledgers : [ledgers[1], ledgers[0]];
      for (let round = 0; round < rounds; round += 1) {
        const requestId = `c${client}-${round}`;
        const accountId = `shared-${(client * 5 + round * 3) % accounts}`;
        expect(await mine.hold({ requestId, accountId, amount: 10n, overshoots: true, atMs: at })).toBe(
          'held',
        );
        const record = sampleUsage(requestId, { account_id: accountId, charge_pico: 3n, ended_at_ms: at });
        // The other process tries the same grant and releases what is not its own.
        await Promise.all([
          round % 3 === 2 ? mine.release(requestId, at) : mine.settle(record),
          other.release(`c${client}-${round - 1}`, at),
          other.grant({ accountId, id: `g${client}-${round}`, amount: 5n, note: null, atMs: at }),
          mine.grant({ accountId, id: `g${client}-${round}`, amount: 5n, note: null, atMs: at }),
        ]);
      }
    };
    await Promise.all(Array.from({ length: clients }, (_, client) => one(client)));
    const { rows } = await sql`
      select sum(posted_pico) as posted, sum(held_pico) as held,
        (select sum(amount_pico) from ledger_entries) as entries, (select sum(tokens) from token_usage) as tokens
      from account_balances`.execute(harness.store.db);
    const settled = (clients * rounds * 2) / 3;
    const posted = clients * rounds * 5 - settled * 3;
    expect(rows).toEqual([{ posted: `${posted}`, held: '0', entries: '0', tokens: `${settled * 46}` }]);
    expect(await harness.openHolds()).toEqual([]);
  });

  let orphans = 0;
  /** Lets one process check for orphans at least twice: the first check removes one planted orphan, the second another. */
  async function heldAfterPoll(timer: TestClock): Promise<string[]> {
    for (let times = 0; times < 2; times += 1) {
      orphans += 1;
      const id = `orphan-${orphans}`;
      const hold = {
        request_id: id,
        account_id: 'a',
        amount_pico: 0n,
        holder: `gw_${id}`,
        held_at: new Date(at),
      };
      await harness.store.db.insertInto('open_holds').values(hold).execute();
      // The duration of a check varies with load; the next one is due some time after the last one ended.
      const isGone = async (): Promise<boolean> => {
        await timer.advance(30_000);
        return !(await harness.openHolds()).includes(id);
      };
      await vi.waitUntil(isGone, { timeout: 15_000 });
    }
    return harness.openHolds();
  }

  it('keep the holds of a live gateway, and release those of a dead one', async () => {
    await ledgers[0].hold({
      requestId: 'of the first',
      accountId: 'a',
      amount: 1n,
      overshoots: true,
      atMs: at,
    });
    await ledgers[1].hold({
      requestId: 'of the second',
      accountId: 'a',
      amount: 1n,
      overshoots: true,
      atMs: at,
    });
    await heldAfterPoll(timers[1]);
    expect(await heldAfterPoll(timers[0])).toEqual(['of the first', 'of the second']);
    // A process counts as dead when its connections are gone.
    await links[0].stop();
    await expect.poll(() => heldAfterPoll(timers[1])).toEqual(['of the second']);
    links[0].start();
  });

  it('charge a request whose hold was released because its process had lost its connections', async () => {
    await ledgers[0].hold({ requestId: 'cut off', accountId: 'b', amount: 10n, overshoots: true, atMs: at });
    await links[0].stop();
    await expect.poll(() => heldAfterPoll(timers[1])).not.toContain('cut off');
    links[0].start();
    await ledgers[0].settle(sampleUsage('cut off', { account_id: 'b', charge_pico: 3n, ended_at_ms: at }));
    expect(await harness.totalsOf('b', at)).toEqual({ posted: -3n, held: 0n, tokens: 46n });
  });

  it('leave the holds of each other alone again once their connections are back', async () => {
    await heldAfterPoll(timers[0]);
    await ledgers[0].hold({ requestId: 'again', accountId: 'c', amount: 1n, overshoots: true, atMs: at });
    expect(await heldAfterPoll(timers[1])).toContain('again');
  });
});
