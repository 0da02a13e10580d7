import { expect, it } from 'vitest';
import { Semaphore } from '../engine/semaphore.ts';
import { IdleWidth, QuietMoments } from './idle-width.ts';

const forever = (): Promise<never> => new Promise(() => undefined);

it('admits more checks when processors are idle and checks wait, and fewer when busy, within its bounds', () => {
  const semaphore = new Semaphore(8);
  for (let count = 0; count < 20; count += 1) void semaphore.pass(forever);
  let idle = 0.5;
  const width = new IdleWidth(semaphore, { least: 8, most: 11 }, () => idle);
  const seen = [0.5, 0.1, 0.5, 0.5, 0.01, 0.01, 0.01, 0.01].map((share) => {
    idle = share;
    width.look();
    return semaphore.width;
  });
  expect(seen).toEqual([10, 10, 11, 11, 10, 9, 8, 8]);
});

it('detects whether the processors were busy', () => {
  let idle = 0.5;
  const width = new IdleWidth(new Semaphore(8), { least: 8, most: 11 }, () => idle);
  const seen = [0.5, 0.01, 0.1].map((share) => {
    idle = share;
    width.look();
    return width.isCrowded;
  });
  expect(seen).toEqual([false, true, false]);
});

it('does not change when nothing waits', () => {
  const semaphore = new Semaphore(8);
  new IdleWidth(semaphore, { least: 8, most: 32 }, () => 1).look();
  expect(semaphore.width).toBe(8);
});

it('waits until the machine has time, at most 8 s before a check and 24 s before all of a run', async () => {
  let [share, nowMs] = [0.5, 0];
  const moments = new QuietMoments({
    idleSince: () => () => share,
    now: () => nowMs,
    wait: async (ms) => {
      nowMs += ms;
    },
  });
  const waits: number[] = [];
  for (share of [0.5, 0.1, 0.1, 0.1, 0.1, 0.5]) {
    const start = nowMs;
    await moments.next(new AbortController().signal);
    waits.push(nowMs - start);
  }
  expect(waits).toEqual([600, 8_100, 8_100, 7_200, 0, 0]);
});
