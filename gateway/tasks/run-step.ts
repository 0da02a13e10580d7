import type { Logger } from 'pino';
import type { TaskLimits } from '../config.ts';
import type { Task, TaskEnding } from '../services/tasks/task.ts';
import type { WorkDone } from '../work/work-done.ts';
import type { ClaimedTask } from './claimed-task.ts';
import type { NextStep } from './save-tasks.ts';
import { endTask, type StepParts, takeStep } from './take-step.ts';

export interface RunParts extends Omit<StepParts, 'save' | 'limits'> {
  readonly limits: TaskLimits;
  /**
   * Stores a task, and releases it if there is a next step. Returns when that step is due; false if nothing was
   * stored, because this process no longer owns the task, or has stored another ending or job before.
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

/** The task is not as it was claimed: another process owns it now, or a write of this process came late. */
class OutOfDate extends Error {
  override name = 'OutOfDate';
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
  return unlessOutOfDate(claimed, parts, () => run(claimed, parts));
}

async function unlessOutOfDate(
  { id }: ClaimedTask,
  { log }: RunParts,
  act: () => Promise<WorkDone<ClaimedTask>>,
): Promise<WorkDone<ClaimedTask>> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof OutOfDate)) throw error;
    log.info({ task_id: id }, 'a task has changed, or another process has taken it over');
    return { nextAtMs: null, wasSlow: null, isOutOfDate: true };
  }
}

async function run(claimed: ClaimedTask, parts: RunParts): Promise<WorkDone<ClaimedTask>> {
  const { clock, limits } = parts;
  const { task, ...work } = claimed;
  const doomed = task.ending === null ? parts.doomed(task.id) : null;
  const atMs = clock.now();
  const sinceMs = work.keptSinceMs ?? atMs;
  const notices = parts.notices();
  const isStarted = task.nativeId !== null;
  // A kept task is never polled before its regular time; timers may ring a millisecond early.
  const isExtra = isStarted && work.keptSinceMs === null && atMs < work.pollAtMs;
  const save = async (changed: Task, next: NextStep | null = null): Promise<number | null> => {
    const saved = await parts.save(changed, next);
    if (saved === false) throw new OutOfDate(changed.id);
    return saved;
  };
  const poll = { before: work.polls, dueAtMs: isExtra ? work.pollAtMs : null };
  const stepParts: StepParts = {
    ...parts,
    save: async (changed) => {
      await save(changed);
    },
  };
  const step = doomed === null ? takeStep(task, poll, stepParts) : endTask(task, doomed, stepParts);
  const { task: after, waitMs } = await step;
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
    const kept = { row, atMs: next.dueAtMs, untilMs, write: () => unlessOutOfDate(claimed, parts, write) };
    return { nextAtMs: null, wasSlow: null, kept };
  }
  const done = await write();
  if (!isStarted && after.nativeId !== null) await parts.onStarted(after.channelId ?? '', after.nativeId);
  return done;
}
