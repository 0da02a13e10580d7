import { expect } from 'vitest';
import { TestClock } from '../../clock.ts';
import type { Task, TaskStatus } from '../../services/tasks/task.ts';
import { type EndParts, endTask } from '../../tasks/end-task.ts';
import { type Poll, type StepParts, takeStep } from '../../tasks/take-step.ts';
import { silentLog } from '../store/test-stores.ts';
import { type FakeWork, fakeWork, limits, queuedTask } from './sample-tasks.ts';

/** One task with its own clock, and the results of its steps. */
export interface Bench {
  readonly clock: TestClock;
  readonly work: FakeWork;
  /** Every stored state of the task, in order. */
  readonly kept: Task[];
  readonly parts: StepParts & EndParts;
  /** Runs one step, and ends the task if the step says so. Returns the wait before the next step in ms; null at the end. */
  step(poll: Poll, mortal?: StepParts & EndParts): Promise<number | null>;
  /** Runs steps without waiting until the task has ended; returns the requested waits in ms. */
  run(max?: number): Promise<number[]>;
}

export function bench(changes: Partial<Task> = {}, work = fakeWork()): Bench {
  const clock = new TestClock();
  const kept = [queuedTask('t', clock.now(), changes)];
  const parts: StepParts & EndParts = {
    work,
    limits: limits,
    clock,
    note: async (task) => {
      kept.push(task);
    },
    save: async ({ task }) => {
      kept.push(task);
    },
    log: { ...silentLog, error: () => {} },
  };
  const step: Bench['step'] = async (poll, its = parts) => {
    const taken = await takeStep(last(kept), poll, its);
    if ('ending' in taken) {
      await endTask({ holder: 'gw', fence: 1 }, taken.task, taken.ending, its);
      return null;
    }
    await its.note(taken.task);
    return taken.waitMs;
  };
  const run = async (max = 100): Promise<number[]> => {
    const waits: number[] = [];
    let polls = 0;
    for (let n = 0; n < max; n += 1) {
      const before = last(kept);
      const waitMs = await step({ before: polls, dueAtMs: null });
      if (before.nativeId !== null) polls += 1;
      if (waitMs === null) break;
      waits.push(waitMs);
    }
    return waits;
  };
  return { clock, work, kept, parts, step, run };
}

/** The task as last stored. */
export function last(kept: readonly Task[]): Task {
  const task = kept.at(-1);
  if (task === undefined) throw new Error('nothing was kept');
  return task;
}

/** The legal transitions (specification, "States and transitions"). */
const next: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
  QUEUED: ['QUEUED', 'RUNNING'],
  RUNNING: ['RUNNING', 'SUCCESS', 'FAILED', 'EXPIRED'],
  SUCCESS: [],
  FAILED: [],
  EXPIRED: [],
};

/** Asserts that each state may follow the previous one, and that an ending never changes once decided. */
export function expectLegal(kept: readonly Task[]): void {
  for (const [n, task] of kept.entries()) {
    const before = kept[n - 1];
    if (before !== undefined) expect(next[before.status]).toContain(task.status);
    if (before?.ending != null) expect(task.ending).toEqual(before.ending);
    if (task.endedAtMs !== null) expect(task.ending?.status).toBe(task.status);
  }
}
