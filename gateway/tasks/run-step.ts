import type { Logger } from 'pino';
import type { TaskLimits } from '../config.ts';
import type { Task, TaskEnding } from '../services/tasks/task.ts';
import type { WorkDone } from '../work/dispatcher.ts';
import type { ClaimedTask } from './claimed-task.ts';
import type { NextStep } from './save-tasks.ts';
import { type StepParts, takeStep } from './take-step.ts';

export interface RunParts extends Omit<StepParts, 'save' | 'limits'> {
  readonly limits: TaskLimits;
  /**
   * Stores a task, and releases it if there is a next step. Returns when that step is due; false if this process
   * no longer owns the task.
   */
  readonly save: (task: Task, next: NextStep | null) => Promise<number | null | false>;
  /** The ending of a task that must end before its first step; null for all others. */
  readonly doomed: (taskId: string) => TaskEnding | null;
  /** Called when a job has just been started. */
  readonly onStarted: (channelId: string, nativeId: string) => Promise<void>;
  /** Called when a task that was due later has ended, so that it is no longer due. */
  readonly onEndedEarly: () => void;
  readonly log: Pick<Logger, 'info' | 'error'>;
}

/** Another process owns the task now, so this process must not store anything of it. */
class TaskTaken extends Error {
  override name = 'TaskTaken';
}

/**
 * Runs the due step of a task and stores the result. A poll before its regular time was caused by a notification:
 * it does not change when the regular polls are due. Rejects on a failure of the gateway itself.
 */
export async function runStep(claimed: ClaimedTask, parts: RunParts): Promise<WorkDone> {
  try {
    return await run(claimed, parts);
  } catch (error) {
    if (!(error instanceof TaskTaken)) throw error;
    parts.log.info({ task_id: claimed.id }, 'another process has taken a task over');
    return { nextAtMs: null, wasSlow: null };
  }
}

async function run({ task: kept, ...work }: ClaimedTask, parts: RunParts): Promise<WorkDone> {
  const { clock, limits } = parts;
  const task = { ...kept, ending: kept.ending ?? parts.doomed(kept.id) };
  const atMs = clock.now();
  const isStarted = task.nativeId !== null;
  const isExtra = isStarted && atMs < work.pollAtMs;
  const save = async (changed: Task, next: NextStep | null = null): Promise<number | null> => {
    const saved = await parts.save(changed, next);
    if (saved === false) throw new TaskTaken(changed.id);
    return saved;
  };
  const poll = { before: work.polls, dueAtMs: isExtra ? work.pollAtMs : null };
  const { task: after, waitMs } = await takeStep(task, poll, {
    ...parts,
    save: async (changed) => {
      await save(changed);
    },
  });
  if (waitMs === null) {
    await save(after);
    if (isExtra) parts.onEndedEarly();
    return { nextAtMs: null, wasSlow: null };
  }
  const nextAtMs = await save(after, {
    dueAtMs: clock.now() + waitMs,
    polls: work.polls + (isStarted && !isExtra ? 1 : 0),
    notifyFromMs: isExtra ? atMs + limits.poll_ms : work.notifyFromMs,
    generation: work.generation,
  });
  if (!isStarted && after.nativeId !== null) await parts.onStarted(after.channelId ?? '', after.nativeId);
  return { nextAtMs, wasSlow: null };
}
