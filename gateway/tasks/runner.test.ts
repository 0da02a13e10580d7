import { describe, expect, it, vi } from 'vitest';
import { RealClock, TestClock } from '../clock.ts';
import {
  FAILED,
  type FakeWork,
  fakeWork,
  LIMITS,
  queuedTask,
  RUNNING,
  SUCCESS,
} from '../testing/tasks/sample-tasks.ts';
import { jobKey, jobOf } from './job-key.ts';
import { createRunner, type Runner, type RunnerParts } from './runner.ts';
import type { Task } from './task.ts';
import { UnderWay } from './under-way.ts';

interface Bench {
  readonly runner: Runner;
  readonly work: FakeWork;
  readonly clock: TestClock;
  readonly timer: TestClock;
  readonly underWay: UnderWay;
  readonly kept: Task[];
  readonly gone: string[];
  /** Lets the step be over that is under way. */
  settle(): Promise<void>;
}

function bench(parts: Partial<RunnerParts> = {}): Bench {
  const [clock, timer, underWay, work] = [new TestClock(), new TestClock(), new UnderWay(), fakeWork()];
  const [kept, gone]: [Task[], string[]] = [[], []];
  const runner = createRunner({
    work,
    limits: LIMITS,
    clock,
    timer,
    underWay,
    inTurn: (act) => act(),
    whole: async (task) => task,
    save: async (task) => {
      kept.push(task);
      return true;
    },
    hadNews: () => false,
    doomed: () => null,
    onGone: (task) => gone.push(task.id),
    log: { info: () => {}, warn: () => {}, error: () => {} },
    ...parts,
  });
  return {
    runner,
    work,
    clock,
    timer,
    underWay,
    kept,
    gone,
    settle: () => underWay.settled(new RealClock(), 2_000),
  };
}

it('takes each step when it is due, and holds a task until it has ended', async () => {
  const { runner, work, clock, kept, gone, settle } = bench();
  work.checks = [RUNNING];
  runner.run(queuedTask('t', clock.now()));
  runner.run(queuedTask('t', clock.now()));
  await settle();
  expect([runner.held, clock.nextDue()]).toEqual([1, expect.any(Number)]);
  for (const wait of [40, 80]) {
    await clock.advance(wait);
    await settle();
  }
  expect(kept.at(-1)).toMatchObject({ status: 'SUCCESS', ending: SUCCESS });
  expect([runner.held, gone, clock.nextDue()]).toEqual([0, ['t'], null]);
});

it('takes a step again that failed through us, later and later, wherever the clock is moved to', async () => {
  const { runner, work, clock, timer, kept, settle } = bench();
  let failures = 3;
  work.before = async (what) => {
    failures -= what === 'settle' ? 1 : 0;
    if (what === 'settle' && failures >= 0) throw new Error('no database');
  };
  runner.run(queuedTask('t', clock.now()));
  await settle();
  await clock.advance(40);
  await settle();
  expect(clock.nextDue()).toBeNull();
  for (const wait of [250, 500, 1_000]) {
    expect(kept.at(-1)).toMatchObject({ status: 'RUNNING', ending: SUCCESS });
    await timer.advance(wait);
    await settle();
  }
  expect(kept.at(-1)).toMatchObject({ status: 'SUCCESS' });
  expect([...work.settled.values()]).toEqual([SUCCESS]);
});

it('lets go of a task that another process has taken over', async () => {
  const { runner, work, clock, timer, gone, settle } = bench({ save: async () => false });
  runner.run(queuedTask('t', clock.now()));
  await settle();
  expect([runner.held, gone, clock.nextDue(), timer.nextDue()]).toEqual([0, ['t'], null, null]);
  expect(work.jobs.size).toBe(0);
});

it('starts nothing for a task that must end before', async () => {
  const { runner, work, clock, kept, settle } = bench({ doomed: () => FAILED });
  runner.run(queuedTask('t', clock.now()));
  await settle();
  expect(kept.map((task) => [task.status, task.ending])).toEqual([['FAILED', FAILED]]);
  expect(work.jobs.size).toBe(0);
  expect([...work.settled.values()]).toEqual([FAILED]);
});

describe('news of a job', () => {
  const JOB = jobKey('ch', 'job of t');
  /** A task whose job has been started and looked at so often in vain. */
  async function running(
    looks: number,
    parts: Partial<RunnerParts> = {},
  ): Promise<Bench & { asked: number[] }> {
    const made = bench(parts);
    const asked: number[] = [];
    const { work, clock } = made;
    work.checks = Array.from({ length: 99 }, () => RUNNING);
    work.before = async (what) => {
      if (what === 'check') asked.push(clock.now());
    };
    made.runner.run(queuedTask('t', clock.now()));
    await made.settle();
    for (let n = 0; n < looks; n += 1) {
      await clock.advance(40 * 2 ** n);
      await made.settle();
    }
    expect(asked).toHaveLength(looks);
    return { ...made, asked };
  }
  const dueIn = ({ clock }: Bench): number => (clock.nextDue() ?? 0) - clock.now();

  it('makes the next look at it come at once, and moves none that is due anyway', async () => {
    const made = await running(2);
    const { runner, clock, asked, settle } = made;
    const due = clock.nextDue();
    expect(runner.news(JOB)).toBe(true);
    expect(asked).toHaveLength(3);
    await settle();
    expect(clock.nextDue()).toBe(due);
    await clock.advance(160);
    await settle();
    expect(asked).toHaveLength(4);
    // The waits go on doubling as if nothing had been told.
    expect(dueIn(made)).toBeGreaterThan(300);
  });

  it('by the hundred makes no more looks than the first ones would be, and none at the same time', async () => {
    const made = await running(4);
    const { runner, work, clock, asked, settle } = made;
    let [atOnce, most] = [0, 0];
    work.before = async (what) => {
      if (what !== 'check') return;
      asked.push(clock.now());
      atOnce += 1;
      most = Math.max(most, atOnce);
      await new Promise((resolve) => setImmediate(resolve));
      atOnce -= 1;
    };
    for (let n = 0; n < 200; n += 1) {
      runner.news(JOB);
      await clock.advance(1);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await settle();
    // 200 ms with a look every 40 ms at most, and real time goes on as well.
    const [first = 0] = asked.slice(4);
    const lasted = clock.now() - first;
    expect(asked.length - 4).toBeGreaterThan(3);
    expect(asked.length - 4).toBeLessThanOrEqual(lasted / 40 + 2);
    expect(most).toBe(1);
  });

  it('during a look makes another one come right after it', async () => {
    const made = await running(1);
    const { runner, work, clock, asked, settle } = made;
    const gate = Promise.withResolvers<void>();
    const { before } = work;
    work.before = async (what, task) => {
      await before(what, task);
      if (asked.length === 2) await gate.promise;
    };
    await clock.advance(80);
    expect(asked).toHaveLength(2);
    runner.news(JOB);
    runner.news(JOB);
    expect(asked).toHaveLength(2);
    gate.resolve();
    await settle();
    await settle();
    expect(asked).toHaveLength(3);
    expect(dueIn(made)).toBeGreaterThan(100);
  });

  it('that was there before its start was answered makes the first look come at once', async () => {
    const early = new Set([JOB]);
    const made = bench({ hadNews: (task) => early.delete(jobOf(task) ?? '') });
    const { runner, work, clock, kept, settle } = made;
    const atMs = clock.now();
    runner.run(queuedTask('t', atMs));
    await settle();
    await settle();
    expect(kept.at(-1)).toMatchObject({ status: 'SUCCESS' });
    expect([work.jobs.size, runner.held, early.size]).toEqual([1, 0, 0]);
  });

  it('uses up none of the failures that an upstream may have in a row', async () => {
    const made = await running(1);
    const { runner, work, clock, kept, settle } = made;
    work.checks = [];
    work.before = () => Promise.reject(new Error('it is out'));
    for (let n = 0; n < 2 * LIMITS.poll_tries; n += 1) {
      runner.news(JOB);
      await settle();
      await clock.advance(1);
    }
    expect(kept.at(-1)).toMatchObject({ status: 'RUNNING', ending: null });
    expect(kept.at(-1)?.pollTries).toBeLessThan(LIMITS.poll_tries);
  });

  it('brings no step forward that failed through us', async () => {
    const made = await running(1);
    const { runner, work, clock, timer, asked, settle } = made;
    work.checks = [];
    work.before = async (what) => {
      if (what === 'settle') throw new Error('no database');
    };
    await clock.advance(80);
    await settle();
    const due = timer.nextDue();
    expect(due).not.toBeNull();
    runner.news(JOB);
    await settle();
    expect([timer.nextDue(), asked.length]).toEqual([due, 1]);
  });

  it('of a job that nobody holds, or that has ended, is nothing', async () => {
    const { runner, work, clock, asked, settle } = await running(1);
    expect(runner.news(jobKey('other', 'job of t'))).toBe(false);
    work.checks = [];
    expect(runner.news(JOB)).toBe(true);
    await settle();
    expect([runner.held, runner.news(JOB), clock.nextDue()]).toEqual([0, false, null]);
    expect(asked).toHaveLength(2);
  });
});

it('takes no step after it was stopped', async () => {
  const { runner, work, clock, settle } = bench();
  runner.run(queuedTask('t', clock.now()));
  await settle();
  runner.stop();
  await clock.advance(LIMITS.deadline_ms);
  await settle();
  expect([clock.nextDue(), work.settled.size]).toEqual([null, 0]);
});

it('waits once, and not again, for a step that hangs', async () => {
  const timer = new TestClock();
  const underWay = new UnderWay();
  const hanging = Promise.withResolvers<void>();
  void underWay.add(hanging.promise);
  const over = vi.fn();
  const waiting = underWay.settled(timer, 2_000).then(over);
  await timer.advance(1_999);
  expect(over).not.toHaveBeenCalled();
  await timer.advance(1);
  await waiting;
  await underWay.settled(timer, 2_000);
  expect(timer.nextDue()).toBeNull();
});
