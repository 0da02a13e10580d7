import { expect, it } from 'vitest';
import { createClock, createTestClock } from './clock.ts';

it('fires calls that a jump makes due in due order', async () => {
  const clock = createTestClock();
  const fired: string[] = [];
  clock.schedule(60_000, () => fired.push('minute'));
  clock.schedule(3_600_000, () => fired.push('hour'));
  clock.schedule(30_000, () => fired.push('half a minute'));
  clock.schedule(30_000, () => fired.push('half a minute, later'));
  await clock.advance(60_000);
  expect(fired).toEqual(['half a minute', 'half a minute, later', 'minute']);
});

it('moves by exactly the jump and goes on with real time', async () => {
  const clock = createTestClock();
  const real = createClock();
  const offsetBefore = clock.now() - real.now();
  await clock.advance(86_400_000);
  expect(clock.now() - real.now() - offsetBefore).toBeCloseTo(86_400_000, -1);
  await clock.sleep(5);
  expect(clock.nextDue()).toBeNull();
});

it('reports the next due time after a woken sleeper sleeps again', async () => {
  const clock = createTestClock();
  const startMs = clock.now();
  const sleeper = (async () => {
    await clock.sleep(10_000);
    // As after a write: the sleeper continues in a later turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    await clock.sleep(20_000);
  })();
  await clock.advance(10_000);
  expect(clock.nextDue()).toBeGreaterThanOrEqual(startMs + 30_000);
  await clock.advance(20_000);
  await sleeper;
  expect(clock.nextDue()).toBeNull();
});

it('never fires before its time in real time', async () => {
  const clock = createClock();
  const startMs = clock.now();
  await clock.sleep(15);
  expect(clock.now() - startMs).toBeGreaterThanOrEqual(15);
});

it('forgets a cancelled call and rejects an aborted sleep with the reason', async () => {
  const clock = createTestClock();
  let fired = false;
  clock
    .schedule(10, () => {
      fired = true;
    })
    .cancel();
  const abort = new AbortController();
  const sleep = clock.sleep(10, abort.signal);
  abort.abort(new Error('left'));
  await expect(sleep).rejects.toThrow('left');
  expect(clock.nextDue()).toBeNull();
  await clock.advance(20);
  expect(fired).toBe(false);
});

it('waits longer than a platform timer allows', async () => {
  const clock = createTestClock();
  const monthMs = 31 * 86_400_000;
  let fired = false;
  clock.schedule(monthMs, () => {
    fired = true;
  });
  await clock.advance(monthMs - 1000);
  expect(fired).toBe(false);
  await clock.advance(1000);
  expect(fired).toBe(true);
});

it('rejects a move backwards', async () => {
  await expect(createTestClock().advance(-1)).rejects.toThrow('only be moved forward');
});
