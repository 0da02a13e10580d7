import type { Logger } from 'pino';
import type { TaskLimits } from '../config.ts';
import type { Task, TaskEnding } from '../services/tasks/task.ts';
import type { WorkDone } from '../work/work-done.ts';
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
  /** Called when a task has ended for which nobody polled the database: what is due next may have changed. */
  readonly onEndedEarly: () => void;
  /** How many notifications of any jobs this process has got. */
  readonly notices: () => number;
  readonly log: Pick<Logger, 'info' | 'error'>;
}

/** Another process owns the task now, so this process must not store anything of it. */
class TaskTaken extends Error {
  override name = 'TaskTaken';
}

/**
 * How long a task may stay claimed over polls that find nothing new. A notification that another process gets waits
 * no longer than that.
 */
const keepMs = 2_000;

/**
 * Runs the due step of a task and stores the result, unless nothing changed and the next poll is due very soon. A
 * poll before its regular time was caused by a notification: it does not change when the regular polls are due.
 * Rejects on a failure of the gateway itself.
 */
export function runStep(claimed: ClaimedTask, parts: RunParts): Promise<WorkDone<ClaimedTask>> {
  return unlessTaken(claimed, parts, () => run(claimed, parts));
}

async function unlessTaken(
  { id }: ClaimedTask,
  { log }: RunParts,
  act: () => Promise<WorkDone<ClaimedTask>>,
): Promise<WorkDone<ClaimedTask>> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof TaskTaken)) throw error;
    log.info({ task_id: id }, 'another process has taken a task over');
    return { nextAtMs: null, wasSlow: null };
  }
}

async function run(claimed: ClaimedTask, parts: RunParts): Promise<WorkDone<ClaimedTask>> {
  const { clock, limits } = parts;
  const { task: stored, ...work } = claimed;
  const task = { ...stored, ending: stored.ending ?? parts.doomed(stored.id) };
  const atMs = clock.now();
  const sinceMs = work.keptSinceMs ?? atMs;
  const notices = parts.notices();
  const isStarted = task.nativeId !== null;
  // A kept task is never polled before its regular time; timers may ring a millisecond early.
  const isExtra = isStarted && work.keptSinceMs === null && atMs < work.pollAtMs;
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
    if (isExtra || work.keptSinceMs !== null) parts.onEndedEarly();
    return { nextAtMs: null, wasSlow: null };
  }
  const next = {
    dueAtMs: clock.now() + waitMs,
    polls: work.polls + (isStarted && !isExtra ? 1 : 0),
    notifyFromMs: isExtra ? atMs + limits.poll_ms : work.notifyFromMs,
    generation: work.generation,
  };
  const write = async () => ({ nextAtMs: await save(after, next), wasSlow: null });
  const untilMs = Math.min(sinceMs + keepMs, task.deadlineAtMs - 1);
  const isUnchanged = isStarted && !isExtra && after.pollTries === task.pollTries;
  // A notification during the poll may be of this job, which must then be polled again.
  if (isUnchanged && next.dueAtMs <= untilMs && parts.notices() === notices) {
    const row = { ...claimed, task: after, polls: next.polls, keptSinceMs: sinceMs };
    const kept = { row, atMs: next.dueAtMs, untilMs, write: () => unlessTaken(claimed, parts, write) };
    return { nextAtMs: null, wasSlow: null, kept };
  }
  const done = await write();
  if (!isStarted && after.nativeId !== null) await parts.onStarted(after.channelId ?? '', after.nativeId);
  return done;
}
