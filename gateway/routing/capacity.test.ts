import { describe, expect, it } from 'vitest';
import { TestClock } from '../clock.ts';
import { Capacity } from './capacity.ts';

const limits = { capacity: 1, queueLength: 2, queueWaitMs: 1000 };
const stays = new AbortController().signal;

describe('the capacity of a channel', () => {
  it('is unlimited without a limit', () => {
    const room = new Capacity({ ...limits, capacity: null }, new TestClock());
    for (let i = 0; i < 5000; i += 1) room.take();
    expect(room.isFree).toBe(true);
  });

  it('serves waiting requests in order, before any newcomer', async () => {
    const room = new Capacity(limits, new TestClock());
    room.take();
    const order: string[] = [];
    const first = room.wait(stays).then((has) => order.push(`first ${has}`));
    const second = room.wait(stays).then((has) => order.push(`second ${has}`));
    expect(room.takesWaiting).toBe(false);
    room.giveBack();
    expect(room.isFree).toBe(false);
    await first;
    room.giveBack();
    await second;
    expect(order).toEqual(['first true', 'second true']);
    room.giveBack();
    expect([room.isFree, room.inFlight]).toEqual([true, 0]);
  });

  it('ends a wait after the configured time', async () => {
    const clock = new TestClock();
    const room = new Capacity(limits, clock);
    room.take();
    let hasRoom: boolean | null = null;
    const waiting = room.wait(stays).then((has) => {
      hasRoom = has;
    });
    await clock.advance(900);
    expect(hasRoom).toBeNull();
    await clock.advance(100);
    await waiting;
    expect(hasRoom).toBe(false);
    expect(room.takesWaiting).toBe(true);
    room.giveBack();
    expect(room.isFree).toBe(true);
  });

  it('ends the wait of a request that leaves or is dismissed, and leaves no timer', async () => {
    const clock = new TestClock();
    const room = new Capacity(limits, clock);
    room.take();
    const leaving = new AbortController();
    const left = room.wait(leaving.signal);
    const sent = room.wait(stays);
    leaving.abort();
    expect(await left).toBe(false);
    room.sendAway();
    expect(await sent).toBe(false);
    expect(await room.wait(leaving.signal)).toBe(false);
    expect(clock.nextDue()).toBeNull();
    expect(room.inFlight).toBe(1);
  });
});
