import { expect, it } from 'vitest';
import { Untestable } from '../rules/violation.ts';
import { type ClockReading, StackClock } from './clock-control.ts';

/** A clock that can be moved, and how far it is ahead of ours. */
class Hand {
  aheadMs = 0;
  /** The delay of its answers; an answer shows the time when it was sent. */
  readonly slowMs: number;

  constructor(slowMs = 0) {
    this.slowMs = slowMs;
  }

  async read(): Promise<ClockReading> {
    await new Promise((resolve) => setTimeout(resolve, this.slowMs));
    return { now_ms: Date.now() + this.aheadMs, next_due_ms: null };
  }

  async advance(ms: number): Promise<ClockReading> {
    this.aheadMs += ms;
    return { now_ms: Date.now() + this.aheadMs, next_due_ms: null };
  }
}

it("detects that another gateway has moved the shared simulators' clock, and follows it", async () => {
  const [gateway, other, simulators] = [new Hand(), new Hand(), new Hand()];
  const [clock, another] = [new StackClock([gateway, simulators]), new StackClock([other, simulators])];
  expect(await clock.ping()).toBe(true);
  await another.advance(400_000);
  expect(await clock.ping()).toBe(false);
  await clock.align();
  expect(await clock.ping()).toBe(true);
  expect(simulators.aheadMs).toBe(400_000);
  expect(Math.abs(gateway.aheadMs - 400_000)).toBeLessThan(1_000);
  expect(Math.abs(clock.aheadMs - 400_000)).toBeLessThan(1_000);
});

it('moves every clock close to a due time before the timer fires', async () => {
  const dueAtMs = Date.now() + 302_500;
  const gateway = new Hand(50);
  const simulators = new Hand();
  const behind: number[] = [];
  const read = simulators.read.bind(simulators);
  simulators.read = async () => ({ ...(await read()), next_due_ms: behind.length > 0 ? null : dueAtMs });
  const advance = simulators.advance.bind(simulators);
  simulators.advance = async (ms) => {
    const reading = await advance(ms);
    if (reading.now_ms >= dueAtMs && behind.length === 0) behind.push(simulators.aheadMs - gateway.aheadMs);
    return reading;
  };
  // A gateway moves its clock some time after the request.
  const late = gateway.advance.bind(gateway);
  gateway.advance = async (ms) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return late(ms);
  };
  const clock = new StackClock([gateway, simulators]);
  await clock.advance(1);
  await clock.advance(400_000);
  expect(behind).toHaveLength(1);
  expect(behind[0]).toBeLessThanOrEqual(1_000);
  expect(gateway.aheadMs).toBe(400_001);
});

it("moves the simulators' clocks when the gateway is ahead of them", async () => {
  const [gateway, simulators] = [new Hand(), new Hand()];
  gateway.aheadMs = 60_000;
  await new StackClock([gateway, simulators]).align();
  expect(gateway.aheadMs).toBe(60_000);
  expect(Math.abs(simulators.aheadMs - 60_000)).toBeLessThan(1_000);
});

it('accepts the clock of a gateway that answers late', async () => {
  const clock = new StackClock([new Hand(1_200), new Hand()]);
  expect(await clock.ping()).toBe(true);
});

it('reports a stuck clock as such', async () => {
  const stuck = new Hand();
  stuck.advance = () => stuck.read();
  const clock = new StackClock([stuck, new Hand()]);
  await expect(clock.advance(30_000)).rejects.toThrow(Untestable);
  await expect(clock.advance(30_000)).rejects.toThrow(/moved by \d+ ms instead of 500 ms/);
});

it('moves an untested clock only a little ahead of the simulators', async () => {
  const [gateway, simulators] = [new Hand(), new Hand()];
  const ahead: number[] = [];
  const advance = gateway.advance.bind(gateway);
  gateway.advance = async (ms) => {
    const reading = await advance(ms);
    ahead.push(gateway.aheadMs - simulators.aheadMs);
    return reading;
  };
  const clock = new StackClock([gateway, simulators]);
  await clock.advance(30_000);
  await clock.advance(100);
  expect(ahead[0]).toBe(500);
  expect([gateway.aheadMs, simulators.aheadMs]).toEqual([30_100, 30_100]);
});

it('accepts a clock that stands still between its moves', async () => {
  let nowMs = 1_000_000;
  const read = async () => ({ now_ms: nowMs, next_due_ms: null });
  const advance = (ms: number) => {
    nowMs += ms;
    return read();
  };
  const clock = new StackClock([{ read, advance }, new Hand()]);
  await clock.advance(30_000);
  await clock.advance(250);
  expect(nowMs).toBe(1_030_250);
});
