import type { Logger } from 'pino';
import type { TaskLimits } from '../config.ts';
import type { Task, TaskEnding } from '../services/tasks/task.ts';
import type { TaskWork } from '../services/tasks/task-work.ts';
import type { Instances } from '../work/instances.ts';
import type { WorkDone } from '../work/work-done.ts';
import type { ClaimedTask } from './claimed-task.ts';
import { endTask } from './end-task.ts';
import { OutOfDate } from './save-tasks.ts';
import { type StepParts, takeStep } from './take-step.ts';
import type { TaskStore } from './task-store.ts';

export interface RunParts extends Omit<StepParts, 'note' | 'limits' | 'work'> {
  readonly work: TaskWork;
  readonly limits: TaskLimits;
  readonly save: TaskStore['save'];
  readonly instances: Pick<Instances, 'own' | 'isCurrent'>;
  /** Tasks that may be stored although their callers got an error: they must end before their first step. */
  readonly doubtful: Set<string>;
  /** Called when a job has just been started. */
  readonly onStarted: (channelId: string, nativeId: string) => Promise<void>;
  /** Called when a task has ended earlier than the database expects: the next due time may have changed. */
  readonly onEndedEarly: () => void;
  /** Number of notifications that this process has received, for any job. */
  readonly notices: () => number;
  readonly log: Pick<Logger, 'info' | 'error'>;
}

const notHandedIn: TaskEnding = {
  status: 'FAILED',
  error: {
    code: 'internal_error',
    message: 'The task could not be taken on.',
    param: null,
    channel: null,
  },
};

/**
 * How long a task may stay claimed while polls find nothing new. A notification to another process waits no longer than this.
 */
const keepMs = 2_000;

/**
 * Runs the due step of a task and stores the result, unless nothing changed and the next poll is due very soon. A poll before
 * its regular time was caused by a notification, and does not move the regular polls. Rejects on a failure of the gateway
 * itself.
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
  const { clock } = parts;
  const { task, ...work } = claimed;
  const begun = { atMs: clock.now(), notices: parts.notices() };
  // A kept task is never polled before its regular time; timers may ring a millisecond early.
  const isExtra = task.nativeId !== null && work.keptSinceMs === null && begun.atMs < work.pollAtMs;
  const poll = { before: work.polls, dueAtMs: isExtra ? work.pollAtMs : null };
  const { holder, fence } = claimed;
  const note = async (changed: Task): Promise<void> => {
    await parts.save({ task: changed, next: null, holder, fence });
    // The write may have been confirmed late. Start nothing under an owner id that others have since declared dead.
    const { own, isCurrent } = parts.instances;
    if (own !== holder || !isCurrent) throw new OutOfDate(changed.id);
  };
  const isDoomed = task.ending === null && parts.doubtful.has(task.id);
  const taken = isDoomed ? { task, ending: notHandedIn } : await takeStep(task, poll, { ...parts, note });
  if ('waitMs' in taken) return goOn(claimed, taken, { ...begun, isExtra }, parts);
  await endTask(claimed, taken.task, taken.ending, parts);
  parts.doubtful.delete(task.id);
  if (isExtra || work.keptSinceMs !== null) parts.onEndedEarly();
  return { nextAtMs: null, wasSlow: null };
}

/** Releases the task until its next step, or keeps it claimed if nothing changed and the next poll is due very soon. */
async function goOn(
  claimed: ClaimedTask,
  { task: after, waitMs }: { readonly task: Task; readonly waitMs: number },
  begun: { readonly atMs: number; readonly notices: number; readonly isExtra: boolean },
  parts: RunParts,
): Promise<WorkDone<ClaimedTask>> {
  const { task, ...work } = claimed;
  const { isExtra } = begun;
  const isStarted = task.nativeId !== null;
  const next = {
    dueAtMs: parts.clock.now() + waitMs,
    polls: work.polls + (isStarted && !isExtra ? 1 : 0),
    notifyFromMs: isExtra ? begun.atMs + parts.limits.poll_ms : work.notifyFromMs,
    generation: work.generation,
  };
  const { holder, fence } = claimed;
  const write = async () => ({
    nextAtMs: await parts.save({ task: after, next, holder, fence }),
    wasSlow: null,
  });
  const sinceMs = work.keptSinceMs ?? begun.atMs;
  const untilMs = Math.min(sinceMs + keepMs, task.deadlineAtMs - 1);
  const isUnchanged = isStarted && !isExtra && after.pollTries === task.pollTries;
  // A notification during the poll may be of this job, which must then be polled again.
  if (isUnchanged && next.dueAtMs <= untilMs && parts.notices() === begun.notices) {
    const row = { ...claimed, task: after, polls: next.polls, keptSinceMs: sinceMs };
    const kept = { row, atMs: next.dueAtMs, untilMs, write: () => unlessOutOfDate(claimed, parts, write) };
    return { nextAtMs: null, wasSlow: null, kept };
  }
  const done = await write();
  if (!isStarted && after.nativeId !== null) await parts.onStarted(after.channelId ?? '', after.nativeId);
  return done;
}
