import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { LedTime, realTime } from './drill-time.ts';

const idle = { inFlight: () => 0, lastSeenMs: () => 0 };
const forever = new AbortController().signal;

it('moves the clocks instead of waiting, and no further than asked', async () => {
  const leaps: number[] = [];
  const time = new LedTime({ leap: async (ms) => void leaps.push(ms) }, idle, 1_000);
  const began = time.now();
  await time.until(began + 3_600, forever);
  expect(time.now()).toBeGreaterThanOrEqual(began + 3_600);
  expect(leaps.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(3_600);
  expect(Math.max(...leaps)).toBeLessThanOrEqual(1_000);
});

it('moves in small steps while calls are in flight', async () => {
  const leaps: number[] = [];
  const busy = { inFlight: () => 1, lastSeenMs: () => 0 };
  const time = new LedTime({ leap: async (ms) => void leaps.push(ms) }, busy, 1_000);
  await time.until(time.now() + 1_000, forever);
  expect(leaps.length).toBeGreaterThanOrEqual(1);
  expect(Math.max(...leaps)).toBeLessThanOrEqual(100);
});

it('waits longer for answers when clock moves are slow, as on a busy machine', async () => {
  const pausesMs: number[] = [];
  let endedMs = Number.NaN;
  const leap = async (): Promise<void> => {
    pausesMs.push(performance.now() - endedMs);
    await wait(20);
    endedMs = performance.now();
  };
  const busy = { inFlight: () => 1, lastSeenMs: () => 0 };
  const time = new LedTime({ leap }, busy, 1_000);
  await time.until(time.now() + 1_200, forever);
  expect(pausesMs.at(-1)).toBeGreaterThan(25);
});

it('ends with the signal', async () => {
  const ended = AbortSignal.abort();
  await expect(realTime.until(realTime.now() + 60_000, ended)).rejects.toThrow();
  await expect(realTime.until(0, ended)).rejects.toThrow();
});
