import type { Clock } from '../clock.ts';
import type { Task, TaskEnding } from '../services/tasks/task.ts';
import type { TaskWork } from '../services/tasks/task-work.ts';
import type { Claimed } from '../work/due-rows.ts';
import type { TaskChange } from './save-tasks.ts';

export interface EndParts {
  readonly work: Pick<TaskWork, 'settle'>;
  readonly clock: Pick<Clock, 'now'>;
  /**
   * Stores a task. With a terminal status it also stores the event, and then sends it.
   * @throws OutOfDate
   */
  readonly save: (change: TaskChange) => Promise<unknown>;
}

/**
 * Ends a task in any state, one stage a line. If a process dies between two stages, the next one repeats the stage, without a
 * second effect.
 */
export async function endTask(
  { holder, fence }: Pick<Claimed, 'holder' | 'fence'>,
  task: Task,
  ending: TaskEnding,
  { work, clock, save }: EndParts,
): Promise<void> {
  const claim = { next: null, holder, fence };
  // decide: stored before anything else happens, so that the owner of the task decides once
  const decided: Task = { ...task, status: 'RUNNING', ending };
  if (task.ending === null) await save({ ...claim, task: decided });
  // settle the money, before a reader can see the terminal status
  const atMs = clock.now();
  await work.settle(decided, ending, atMs);
  // close: terminal status and event, in one transaction; then the event is delivered
  await save({ ...claim, task: { ...decided, status: ending.status, endedAtMs: atMs } });
}
