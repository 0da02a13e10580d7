import { expect, it, vi } from 'vitest';
import { RealClock, TestClock } from '../clock.ts';
import { createRunner, type Runner, type RunnerParts } from './runner.ts';
import { FAILED, type FakeWork, fakeWork, LIMITS, queuedTask, RUNNING, SUCCESS } from './sample-tasks.ts';
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
