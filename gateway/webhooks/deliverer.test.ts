import { beforeEach, describe, expect, it } from 'vitest';
import { TestClock } from '../clock.ts';
import { silentLog } from '../testing/store/test-stores.ts';
import type { Attempted } from './attempt.ts';
import { AttemptsUnderWay } from './attempts-under-way.ts';
import { createDeliverer, type Deliverer } from './deliverer.ts';
import type { DueEvent } from './event-store.ts';
import { Receivers } from './receivers.ts';

interface Kept {
  readonly event: DueEvent;
  atMs: number;
  isHeld: boolean;
}

let clock: TestClock;
let timer: TestClock;
let kept: Kept[];
let looks: number;
let isBroken: boolean;
/** Ends the attempts under way, by their events. */
let ends: Map<string, (attempted: Attempted | null) => void>;
let deliverer: Deliverer;
let beforeTaking: () => void;

beforeEach(() => {
  [clock, timer] = [new TestClock(), new TestClock()];
  kept = [];
  looks = 0;
  isBroken = false;
  ends = new Map();
  beforeTaking = () => {};
  const due = (nowMs: number): Kept[] => kept.filter((one) => !one.isHeld && one.atMs <= nowMs);
  deliverer = createDeliverer({
    store: {
      dueReceivers: async (nowMs) => {
        looks += 1;
        if (isBroken) throw new Error('no database');
        return [...new Set(due(nowMs).map(({ event }) => event.receiver))];
      },
      nextAtMs: async (nowMs) => {
        const later = kept.filter((one) => !one.isHeld && one.atMs > nowMs).map((one) => one.atMs);
        return later.length === 0 ? null : Math.min(...later);
      },
      take: async (rooms, nowMs) => {
        if (isBroken) throw new Error('no database');
        const taken = [...rooms].flatMap(([receiver, room]) =>
          due(nowMs)
            .filter(({ event }) => event.receiver === receiver)
            .slice(0, room),
        );
        for (const one of taken) one.isHeld = true;
        await Promise.resolve();
        beforeTaking();
        return taken.map(({ event }) => event);
      },
    },
    receivers: new Receivers({ at_once: 100, at_once_each: 4 }, clock),
    attempt: (event) => new Promise((resolve) => ends.set(event.id, resolve)),
    clock,
    timer,
    underWay: new AttemptsUnderWay(),
    log: silentLog,
  });
});

const keep = (id: string, receiver: string, atMs = 0): void => {
  const event = { id, receiver, accountId: 'acc', url: '', body: '', made: 0, round: 0, isManual: false };
  kept.push({ event, atMs, isHeld: false });
};
const settled = () => new Promise((resolve) => setImmediate(resolve));
const end = async (id: string, attempted: Attempted | null = { wasSlow: false, nextAtMs: null }) => {
  ends.get(id)?.(attempted);
  ends.delete(id);
  await settled();
};
const underWay = (): string[] => [...ends.keys()];

describe('events', () => {
  it('are attempted when somebody says that they are there, each receiver’s as it has room', async () => {
    for (const id of ['a1', 'a2', 'a3', 'a4', 'b1']) keep(id, id.slice(0, 1));
    deliverer.wake(['a', 'b', 'nobody']);
    await settled();
    expect(underWay()).toEqual(['a1', 'a2', 'b1']);
    await end('a1');
    expect(underWay()).toEqual(['a2', 'b1', 'a3', 'a4']);
    expect(looks).toBe(0);
  });

  it('that come while others are taken are not forgotten', async () => {
    keep('a1', 'a');
    beforeTaking = () => {
      beforeTaking = () => {};
      keep('a2', 'a');
      deliverer.wake(['a']);
    };
    deliverer.wake(['a']);
    await settled();
    expect(underWay()).toEqual(['a1', 'a2']);
  });

  it('are waited for with one timer, whatever their number, and those that are due together are looked for once', async () => {
    const at = clock.now();
    for (let n = 0; n < 20; n += 1) keep(`e${n}`, `r${n}`, at + (n < 10 ? 5_000 : 9_000));
    for (const { atMs } of kept.toReversed()) deliverer.dueAt(atMs);
    expect(clock.nextDue()).toBe(at + 5_000);
    await clock.advance(at + 5_000 - clock.now());
    await settled();
    expect([looks, underWay().length]).toEqual([1, 10]);
    expect(clock.nextDue()).toBe(at + 9_000);
    await clock.advance(at + 9_000 - clock.now());
    await settled();
    expect([looks, underWay().length]).toEqual([2, 20]);
    expect(clock.nextDue()).toBeNull();
  });

  it('are attempted again when that is due, at once where somebody asked for it meanwhile', async () => {
    keep('a1', 'a');
    deliverer.wake(['a']);
    await settled();
    for (const one of kept) Object.assign(one, { isHeld: false, atMs: clock.now() + 5_000 });
    await end('a1', { wasSlow: false, nextAtMs: clock.now() + 5_000 });
    expect(underWay()).toEqual([]);
    await clock.advance(5_000);
    await settled();
    expect(underWay()).toEqual(['a1']);
    for (const one of kept) one.isHeld = false;
    await end('a1', { wasSlow: false, nextAtMs: clock.now() });
    expect(underWay()).toEqual(['a1']);
  });

  it('are looked for by themselves when the database was out of reach for a while', async () => {
    keep('a1', 'a');
    isBroken = true;
    deliverer.wake(['a']);
    await settled();
    deliverer.wake(['a']);
    await settled();
    isBroken = false;
    await timer.advance(1_000);
    await settled();
    expect(underWay()).toEqual(['a1']);
  });

  it('stay where they are once this process is to end', async () => {
    deliverer.dueAt(clock.now() + 5_000);
    deliverer.stop();
    keep('a1', 'a');
    deliverer.wake(['a']);
    deliverer.look();
    deliverer.dueAt(clock.now());
    await settled();
    expect([underWay(), clock.nextDue(), timer.nextDue()]).toEqual([[], null, null]);
  });
});
