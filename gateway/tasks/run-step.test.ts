import { expect, it } from 'vitest';
import { TestClock } from '../clock.ts';
import type { Task } from '../services/tasks/task.ts';
import { failedEnding, fakeWork, limits, queuedTask } from '../testing/tasks/sample-tasks.ts';
import { type ClaimedTask, calls } from './claimed-task.ts';
import { type RunParts, runStep } from './run-step.ts';

/** Takes the first step of a task. */
async function first(parts: Partial<RunParts>) {
  const [clock, work] = [new TestClock(), fakeWork()];
  const atMs = clock.now();
  const steps = { polls: 0, pollAtMs: atMs, notifyFromMs: atMs, generation: 0, keptSinceMs: null };
  const claimed: ClaimedTask = { id: 't', share: calls, task: queuedTask('t', atMs), ...steps };
  const kept: Task[] = [];
  const done = await runStep(claimed, {
    work,
    limits: limits,
    clock,
    save: async (task, next) => {
      kept.push(task);
      return next?.dueAtMs ?? null;
    },
    doomed: () => null,
    onStarted: async () => {},
    onEndedEarly: () => {},
    notices: () => 0,
    log: { info: () => {}, error: () => {} },
    ...parts,
  });
  return { done, kept, work };
}

it('lets go of a task that another process has taken over', async () => {
  const { done, work } = await first({ save: async () => false });
  expect(done.nextAtMs).toBeNull();
  expect(work.jobs.size).toBe(0);
});

it('starts nothing for a task that must end before', async () => {
  const { kept, work } = await first({ doomed: () => failedEnding });
  expect(kept.map((task) => [task.status, task.ending])).toEqual([
    ['RUNNING', failedEnding],
    ['FAILED', failedEnding],
  ]);
  expect(work.jobs.size).toBe(0);
  expect([...work.settled.values()]).toEqual([failedEnding]);
});

it('settles nothing of a task that must end, but that another process has taken over', async () => {
  const { done, work } = await first({ doomed: () => failedEnding, save: async () => false });
  expect(done.nextAtMs).toBeNull();
  expect(work.settled.size).toBe(0);
});
