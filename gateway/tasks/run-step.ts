import type { Logger } from 'pino';
import type { TaskLimits } from '../config.ts';
import type { Task, TaskEnding } from '../services/tasks/task.ts';
import type { WorkDone } from '../work/dispatcher.ts';
import type { ClaimedTask } from './claimed-task.ts';
import type { NextStep } from './save-tasks.ts';
import { type StepParts, takeStep } from './take-step.ts';

export interface RunParts extends Omit<StepParts, 'save' | 'limits'> {
  readonly limits: TaskLimits;
  /** Keeps a task, and where there is a next step lets go of it; when that is due, false when this process does not hold it. */
  readonly save: (task: Task, next: NextStep | null) => Promise<number | null | false>;
  /** What a task ends as before its first step, where it must; null for all others. */
  readonly doomed: (taskId: string) => TaskEnding | null;
  /** Told of a job that has just been started. */
  readonly onStarted: (channelId: string, nativeId: string) => Promise<void>;
  /** Told when what was due later is not due any more. */
  readonly onEndedEarly: () => void;
  readonly log: Pick<Logger, 'info' | 'error'>;
}

/** Another process holds the task now: nothing of ours is to be kept. */
class TaskTaken extends Error {
  override name = 'TaskTaken';
}

/**
 * Takes the step of a task that is due, and keeps what came of it. A poll that comes before the next one is due by itself
 * owes to a notification: it is beside the others and changes nothing about them. Rejects when something of ours failed.
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
