import { expect, it } from 'vitest';
import { currentTimeline, inLockstep, Lockstep, type SharedClock } from './lockstep.ts';

/** A clock that only moves when it is moved, and remembers by how much. */
function fakeClock(): { now: () => number; elapse: (ms: number) => Promise<void>; jumps: number[] } {
  let now = 0;
  const jumps: number[] = [];
  return {
    now: () => now,
    elapse: async (ms) => {
      jumps.push(ms);
      now += ms;
    },
    jumps,
  };
}

it('moves the clock once for all waiting timelines, each time to the earliest due time', async () => {
  const clock = fakeClock();
  const order: string[] = [];
  const timeline = (name: string, ...times: number[]) => {
    return async (time: { until(ms: number): Promise<void>; now(): number }) => {
      for (const at of times) {
        await time.until(at);
        order.push(`${name} at ${time.now()}`);
      }
    };
  };
  await inLockstep(clock, [timeline('a', 10, 30), timeline('b', 10, 20), timeline('c')]);
  expect(order).toEqual(['a at 10', 'b at 10', 'b at 20', 'a at 30']);
  expect(clock.jumps).toEqual([10, 10, 10]);
});

it('stops the time while a timeline is working', async () => {
  const clock = fakeClock();
  const work = Promise.withResolvers<void>();
  let seen = -1;
  const all = inLockstep(clock, [
    (time) => time.until(5),
    async (time) => {
      await work.promise;
      await time.until(3);
      seen = time.now();
    },
  ]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(clock.now()).toBe(0);
  work.resolve();
  await all;
  expect(seen).toBe(3);
});

it('continues for the others when one timeline fails, and fails all when the clock fails', async () => {
  const clock = fakeClock();
  const failing = async (): Promise<void> => {
    throw new Error('no');
  };
  const results = await inLockstep(clock, [failing, (time) => time.until(7)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  const stuck = { now: () => 0, elapse: () => Promise.reject(new Error('the clock is gone')) };
  const broken = await inLockstep(stuck, [(time) => time.until(7), (time) => time.until(8)]);
  expect(broken.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

/** A clock with a maximum step. */
function stepping(mostMs: number): SharedClock & { readonly passed: number[] } {
  const passed: number[] = [];
  let now = 0;
  return {
    now: () => now,
    pass: async (ms) => {
      passed.push(Math.min(ms, mostMs));
      now += Math.min(ms, mostMs);
      await turn();
    },
    passed,
  };
}

it('passes time in the steps of its clock, and lets new timelines start between two steps', async () => {
  const clock = stepping(10);
  const lockstep = new Lockstep(clock);
  const first = await lockstep.join();
  const arrives = first.until(30);
  while (clock.passed.length === 0) await turn();
  const late = await lockstep.join();
  expect(late.now()).toBe(10);
  await turn();
  expect(clock.passed).toEqual([10]);
  late.leave();
  await arrives;
  expect(clock.passed).toEqual([10, 10, 10]);
});

it('starts a limited number of working timelines, and more when these wait or end', async () => {
  const lockstep = new Lockstep(stepping(1_000), () => 2);
  const [one, two] = [await lockstep.join(), await lockstep.join()];
  const begun: string[] = [];
  const three = lockstep.join().then((time) => [begun.push('three'), time] as const);
  const four = lockstep.join().then((time) => [begun.push('four'), time] as const);
  await turn();
  expect(begun).toEqual([]);
  const waits = one.until(5);
  await turn();
  expect(begun).toEqual(['three']);
  two.leave();
  await turn();
  expect(begun).toEqual(['three', 'four']);
  expect(one.now()).toBe(0);
  for (const begins of [three, four]) (await begins)[1].leave();
  await waits;
  expect(one.now()).toBe(5);
});

it('ends an aborted wait, and continues for the others', async () => {
  const lockstep = new Lockstep(stepping(1_000));
  const [one, other] = [await lockstep.join(), await lockstep.join()];
  const over = new AbortController();
  const wait = one.until(1, over.signal);
  over.abort(new Error('enough'));
  await expect(wait).rejects.toThrow('enough');
  one.leave();
  await other.until(7);
  expect(other.now()).toBe(7);
  await expect(other.until(8, over.signal)).rejects.toThrow('enough');
});

it('resumes timelines that tolerate delay together, with the last one due until then', async () => {
  const clock = stepping(4);
  const lockstep = new Lockstep(clock);
  const [one, other, exact, last] = await Promise.all([1, 2, 3, 4].map(() => lockstep.join()));
  if (!one || !other || !exact || !last) throw new Error('there are four');
  const order: string[] = [];
  const waits = [
    one.until(10, undefined, 20).then(() => order.push(`one at ${one.now()}`)),
    other.until(25, undefined, 1).then(() => order.push(`other at ${other.now()}`)),
    exact.until(12).then(async () => {
      order.push(`exact at ${exact.now()}`);
      exact.leave();
    }),
    last.until(60, undefined, Number.POSITIVE_INFINITY).then(() => order.push(`last at ${last.now()}`)),
  ];
  await Promise.all(waits.slice(0, 3));
  one.leave();
  other.leave();
  await waits[3];
  expect(order).toEqual(['exact at 12', 'one at 25', 'other at 25', 'last at 60']);
});

it('delays tolerant timelines too while too many work', async () => {
  const lockstep = new Lockstep(stepping(1_000), () => 1);
  const one = await lockstep.join();
  const begun: string[] = [];
  const wait = one.until(5, undefined, 5).then(() => begun.push('one'));
  const two = await lockstep.join();
  const exact = two.until(5).then(() => begun.push('two'));
  await exact;
  await turn();
  expect(begun).toEqual(['two']);
  two.leave();
  await wait;
  expect(begun).toEqual(['two', 'one']);
  const over = new AbortController();
  const three = lockstep.join();
  const late = one.until(9, over.signal, 1);
  const exactly = (await three).until(9);
  await exactly;
  over.abort(new Error('enough'));
  await expect(late).rejects.toThrow('enough');
});

it('delays no timeline beyond its tolerance, however many work', async () => {
  let now = 0;
  const lockstep = new Lockstep(
    { now: () => now, pass: () => Promise.reject(new Error('is not moved')) },
    () => 1,
  );
  const one = await lockstep.join();
  const wait = one.until(2, undefined, 20);
  const two = await lockstep.join();
  now = 3;
  await turn();
  now = 22;
  await wait;
  expect(two.waitedMs).toBe(0);
});

it('resumes a timeline on time after the clock was moved close to its due time, while another one works', async () => {
  let now = 0;
  const moved: number[] = [];
  const lockstep = new Lockstep({
    now: () => now,
    pass: async (ms) => {
      moved.push(ms);
      now += ms;
    },
  });
  const [worker, sleeper] = [await lockstep.join(), await lockstep.join()];
  const over = sleeper.until(100_000);
  await worker.until(99_980);
  now = 100_000;
  await over;
  expect(moved).toEqual([99_980]);
  expect(worker.now()).toBe(100_000);
});

it('identifies the timeline of the current work and its waiting time', async () => {
  const clock = fakeClock();
  const waited = (): boolean => (currentTimeline()?.waitedMs ?? 0) > 20;
  const results = await inLockstep(clock, [
    async (time) => {
      await time.until(5);
      return waited();
    },
    async () => {
      await new Promise((resolve) => setTimeout(resolve, 40));
      return waited();
    },
  ]);
  expect(results).toMatchObject([{ value: true }, { value: false }]);
  expect(currentTimeline()).toBeUndefined();
});
