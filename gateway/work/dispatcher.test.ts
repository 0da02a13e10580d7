import { beforeEach, describe, expect, it } from 'vitest';
import { TestClock } from '../clock.ts';
import { silentLog } from '../testing/store/test-stores.ts';
import { Dispatcher } from './dispatcher.ts';
import type { Claimed } from './due-rows.ts';
import { InFlight } from './in-flight.ts';
import { fixedShares } from './shares.ts';
import type { WorkDone } from './work-done.ts';

interface Kept {
  readonly row: Claimed;
  atMs: number;
  isHeld: boolean;
}

const shares = ['a', 'b', ...Array.from({ length: 20 }, (_, n) => `r${n}`)];

let clock: TestClock;
let timer: TestClock;
let kept: Kept[];
let polls: number;
let isBroken: boolean;
/** Claims reach the database, and their answers do not come back. */
let isAnswerLost: boolean;
/** What is being worked on, with how to end it, by the ids of the rows. */
let ends: Map<string, PromiseWithResolvers<WorkDone<Claimed> | null>>;
let dispatcher: Dispatcher<Claimed>;
let beforeClaiming: () => unknown;

beforeEach(() => {
  [clock, timer] = [new TestClock(), new TestClock()];
  kept = [];
  polls = 0;
  isBroken = false;
  isAnswerLost = false;
  ends = new Map();
  beforeClaiming = () => {};
  const due = (nowMs: number): Kept[] => kept.filter((one) => !one.isHeld && one.atMs <= nowMs);
  dispatcher = new Dispatcher({
    name: 'rows',
    rows: {
      dueShares: async (nowMs) => {
        polls += 1;
        if (isBroken) throw new Error('no database');
        return [...new Set(due(nowMs).map(({ row }) => row.share))];
      },
      nextAtMs: async (nowMs) => {
        const later = kept.filter((one) => !one.isHeld && one.atMs > nowMs).map((one) => one.atMs);
        return later.length === 0 ? null : Math.min(...later);
      },
      claim: async (freeSlots, nowMs) => {
        if (isBroken) throw new Error('no database');
        const claimed = [...freeSlots].flatMap(([share, room]) =>
          due(nowMs)
            .filter(({ row }) => row.share === share)
            .slice(0, room),
        );
        for (const one of claimed) one.isHeld = true;
        await Promise.resolve();
        await beforeClaiming();
        if (isAnswerLost) throw new Error('the connection broke');
        return claimed.map(({ row }) => row);
      },
      releaseAllBut: async (ids) => {
        if (isBroken) throw new Error('no database');
        const lost = kept.filter((one) => one.isHeld && !ids.includes(one.row.id));
        for (const one of lost) one.isHeld = false;
        return lost.map(({ row }) => row.id);
      },
    },
    shares: fixedShares(Object.fromEntries(shares.map((share) => [share, 2]))),
    run: (row) => {
      const end = Promise.withResolvers<WorkDone<Claimed> | null>();
      ends.set(row.id, end);
      return end.promise;
    },
    clock,
    timer,
    inFlight: new InFlight(),
    log: silentLog,
  });
});

const keep = (id: string, share: string, atMs = 0): void => {
  kept.push({ row: { id, share }, atMs, isHeld: false });
};
const settled = () => new Promise((resolve) => setImmediate(resolve));
const endOf = (id: string): PromiseWithResolvers<WorkDone<Claimed> | null> | undefined => {
  const end = ends.get(id);
  ends.delete(id);
  return end;
};
const end = async (id: string, done: WorkDone<Claimed> | null = { wasSlow: false, nextAtMs: null }) => {
  endOf(id)?.resolve(done);
  await settled();
};
const fail = async (id: string) => {
  endOf(id)?.reject(new Error('no database'));
  await settled();
};
const begun = (): string[] => [...ends.keys()];

describe('rows', () => {
  it('are claimed when somebody says that they are there, each share’s as it has room', async () => {
    for (const id of ['a1', 'a2', 'a3', 'a4', 'b1']) keep(id, id.slice(0, 1));
    dispatcher.wake(['a', 'b', 'nobody']);
    await settled();
    expect(begun()).toEqual(['a1', 'a2', 'b1']);
    await end('a1');
    expect(begun()).toEqual(['a2', 'b1', 'a3']);
    await end('a2');
    expect(begun()).toEqual(['b1', 'a3', 'a4']);
    expect(polls).toBe(0);
  });

  it('that come while others are claimed are not forgotten', async () => {
    keep('a1', 'a');
    beforeClaiming = () => {
      beforeClaiming = () => {};
      keep('a2', 'a');
      dispatcher.wake(['a']);
    };
    dispatcher.wake(['a']);
    await settled();
    expect(begun()).toEqual(['a1', 'a2']);
  });

  it('are waited for with one timer, whatever their number, and those that are due together are polled for once', async () => {
    const at = clock.now();
    for (let n = 0; n < 20; n += 1) keep(`e${n}`, `r${n}`, at + (n < 10 ? 5_000 : 9_000));
    for (const { atMs } of kept.toReversed()) dispatcher.dueAt(atMs);
    expect(clock.nextDue()).toBe(at + 5_000);
    await clock.advance(at + 5_000 - clock.now());
    await settled();
    expect([polls, begun().length]).toEqual([1, 10]);
    expect(clock.nextDue()).toBe(at + 9_000);
    await clock.advance(at + 9_000 - clock.now());
    await settled();
    expect([polls, begun().length]).toEqual([2, 20]);
    expect(clock.nextDue()).toBeNull();
  });

  it('are worked on again when that is due, at once where somebody asked for it meanwhile', async () => {
    keep('a1', 'a');
    dispatcher.wake(['a']);
    await settled();
    for (const one of kept) Object.assign(one, { isHeld: false, atMs: clock.now() + 5_000 });
    await end('a1', { wasSlow: false, nextAtMs: clock.now() + 5_000 });
    expect(begun()).toEqual([]);
    await clock.advance(5_000);
    await settled();
    expect(begun()).toEqual(['a1']);
    for (const one of kept) one.isHeld = false;
    await end('a1', { wasSlow: false, nextAtMs: clock.now() });
    expect(begun()).toEqual(['a1']);
  });

  it('are polled for by themselves when the database was out of reach for a while', async () => {
    keep('a1', 'a');
    isBroken = true;
    dispatcher.wake(['a']);
    await settled();
    dispatcher.wake(['a']);
    await settled();
    isBroken = false;
    await timer.advance(1_000);
    await settled();
    expect(begun()).toEqual(['a1']);
  });

  it('are claimed again when the answer to their claim was lost, and nothing else is', async () => {
    keep('a1', 'a');
    dispatcher.wake(['a']);
    await settled();
    keep('a2', 'a');
    isAnswerLost = true;
    dispatcher.wake(['a']);
    await settled();
    expect(kept.map(({ isHeld }) => isHeld)).toEqual([true, true]);
    expect(begun()).toEqual(['a1']);
    isAnswerLost = false;
    await timer.advance(1_000);
    await settled();
    expect(begun()).toEqual(['a1', 'a2']);
  });

  it('are never worked on twice at a time, though they were free without this process knowing', async () => {
    keep('a1', 'a');
    dispatcher.wake(['a']);
    await settled();
    for (const one of kept) one.isHeld = false;
    dispatcher.wake(['a']);
    await settled();
    expect(begun()).toEqual(['a1']);
    const first = ends.get('a1');
    for (const one of kept) expect(one.isHeld).toBe(true);
    first?.resolve({ wasSlow: false, nextAtMs: null });
    await settled();
    expect(ends.get('a1')).not.toBe(first);
  });

  it('that failed are not given back once they are claimed again', async () => {
    keep('a1', 'a');
    dispatcher.wake(['a']);
    await settled();
    // The work has released its row, and does not know it.
    for (const one of kept) one.isHeld = false;
    await fail('a1');
    dispatcher.wake(['a']);
    await settled();
    await timer.advance(250);
    await settled();
    expect(begun()).toEqual(['a1']);
    for (const one of kept) expect(one.isHeld).toBe(true);
  });

  it('are worked on again when that failed, later and later, wherever the clock is moved to', async () => {
    for (const id of ['a1', 'a2', 'a3']) keep(id, 'a');
    dispatcher.wake(['a']);
    await settled();
    expect(begun()).toEqual(['a1', 'a2']);
    await fail('a1');
    // Its room is free meanwhile.
    expect(begun()).toEqual(['a2', 'a3']);
    for (const id of ['a2', 'a3']) await end(id);
    // Their work is written: they are nobody's any more.
    kept = kept.filter(({ row }) => row.id === 'a1');
    for (const wait of [250, 500, 1_000]) {
      await clock.advance(60_000);
      await settled();
      expect(begun()).toEqual([]);
      await timer.advance(wait);
      await settled();
      expect(begun()).toEqual(['a1']);
      await fail('a1');
    }
    isBroken = true;
    await timer.advance(2_000);
    isBroken = false;
    await timer.advance(1_000);
    await settled();
    expect(begun()).toEqual(['a1']);
  });

  describe('that are kept', () => {
    let written: string[];
    /** Ends the work on a row, which is due again in a second. */
    const keepOn = async (id: string, share: string) => {
      const write = async () => {
        written.push(id);
        return { wasSlow: null, nextAtMs: null };
      };
      const atMs = clock.now() + 1_000;
      const again = { row: { id, share }, atMs, untilMs: atMs + 500, write };
      await end(id, { wasSlow: null, nextAtMs: null, kept: again });
    };
    beforeEach(async () => {
      written = [];
      for (const id of ['a1', 'a2']) keep(id, 'a');
      dispatcher.wake(['a']);
      await settled();
      await keepOn('a1', 'a');
    });

    it('are worked on when they are due, without a query', async () => {
      beforeClaiming = () => expect.unreachable();
      await clock.advance(1_000);
      await settled();
      expect([begun(), written, polls]).toEqual([['a2', 'a1'], [], 0]);
    });

    it('wait for room, and are written when there is none in time', async () => {
      keep('a3', 'a');
      dispatcher.wake(['a']);
      await settled();
      await clock.advance(1_000);
      await settled();
      expect([begun(), written]).toEqual([['a2', 'a3'], []]);
      await keepOn('a2', 'a');
      expect(begun()).toEqual(['a3', 'a1']);
      await clock.advance(1_500);
      await settled();
      expect([begun(), written]).toEqual([['a3', 'a1'], ['a2']]);
    });

    it('leave the room of a claim in flight alone', async () => {
      for (const id of ['a3', 'a4']) keep(id, 'a');
      const jumped = Promise.withResolvers<void>();
      beforeClaiming = () => clock.advance(1_000).then(jumped.resolve);
      await end('a2');
      dispatcher.wake(['a']);
      await jumped.promise;
      await settled();
      expect(begun()).toEqual(['a3', 'a4']);
    });

    it('are written at once when somebody changed them', async () => {
      dispatcher.dueAt(clock.now(), 'a1');
      await settled();
      expect([begun(), written]).toEqual([['a2'], ['a1']]);
      expect(clock.nextDue()).toBeNull();
    });

    it('are forgotten once this process is to end', async () => {
      dispatcher.stop();
      await keepOn('a2', 'a');
      expect([clock.nextDue(), written]).toEqual([null, []]);
    });
  });

  it('stay where they are once this process is to end', async () => {
    dispatcher.dueAt(clock.now() + 5_000);
    dispatcher.stop();
    keep('a1', 'a');
    dispatcher.wake(['a']);
    dispatcher.poll();
    dispatcher.dueAt(clock.now());
    await settled();
    expect([begun(), clock.nextDue(), timer.nextDue()]).toEqual([[], null, null]);
  });
});
