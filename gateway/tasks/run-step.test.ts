import { expect, it } from 'vitest';
import { TestClock } from '../clock.ts';
import type { Task } from '../services/tasks/task.ts';
import { fakeWork, limits, queuedTask } from '../testing/tasks/sample-tasks.ts';
import { type ClaimedTask, callsOf } from './claimed-task.ts';
import { type RunParts, runStep } from './run-step.ts';
import { OutOfDate } from './save-tasks.ts';

const notTakenOn = {
  status: 'FAILED',
  error: expect.objectContaining({ code: 'internal_error', message: 'The task could not be taken on.' }),
};
const takenOver = (): Promise<never> => Promise.reject(new OutOfDate('t'));

/** Runs the first step of a task. */
async function first(parts: Partial<RunParts>) {
  const [clock, work] = [new TestClock(), fakeWork()];
  const atMs = clock.now();
  const steps = {
    holder: 'gw',
    fence: 1,
    polls: 0,
    pollAtMs: atMs,
    notifyFromMs: atMs,
    generation: 0,
    keptSinceMs: null,
  };
  const claimed: ClaimedTask = { id: 't', share: callsOf('acc'), task: queuedTask('t', atMs), ...steps };
  const kept: Task[] = [];
  const done = await runStep(claimed, {
    work,
    limits: limits,
    clock,
    save: async ({ task, next }) => {
      kept.push(task);
      return next?.dueAtMs ?? null;
    },
    doubtful: new Set(),
    instances: { own: 'gw', isCurrent: true },
    onStarted: async () => {},
    onEndedEarly: () => {},
    notices: () => 0,
    log: { info: () => {}, error: () => {} },
    ...parts,
  });
  return { done, kept, work };
}

it('abandons a task that another process has taken over', async () => {
  const { done, work } = await first({ save: takenOver });
  expect(done.nextAtMs).toBeNull();
  expect(work.jobs.size).toBe(0);
});

it('starts no job if its note is confirmed only after others declared the process dead', async () => {
  for (const instances of [
    { own: 'gw', isCurrent: false },
    { own: 'gw.2', isCurrent: true },
  ]) {
    const { done, work } = await first({ instances });
    expect(done).toMatchObject({ nextAtMs: null, isOutOfDate: true });
    expect(work.jobs.size).toBe(0);
  }
});

it('starts no job for a task that must end first', async () => {
  const { kept, work } = await first({ doubtful: new Set(['t']) });
  expect(kept.map((task) => [task.status, task.ending])).toEqual([
    ['RUNNING', notTakenOn],
    ['FAILED', notTakenOn],
  ]);
  expect(work.jobs.size).toBe(0);
  expect([...work.settled.values()]).toEqual([notTakenOn]);
});

it('does not settle a task that another process has taken over', async () => {
  const { done, work } = await first({ doubtful: new Set(['t']), save: takenOver });
  expect(done.nextAtMs).toBeNull();
  expect(work.settled.size).toBe(0);
});
