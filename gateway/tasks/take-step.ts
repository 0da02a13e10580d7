import type { Logger } from 'pino';
import { beforeDeadline } from '../before-deadline.ts';
import type { Clock } from '../clock.ts';
import type { TaskLimits } from '../config.ts';
import type { Task, TaskEnding } from '../services/tasks/task.ts';
import type { CheckStep, StartStep, TaskWork } from '../services/tasks/task-work.ts';
import { backoffMs } from '../work/backoff.ts';

export interface StepParts {
  readonly work: Pick<TaskWork, 'start' | 'check'>;
  readonly limits: Pick<
    TaskLimits,
    'poll_ms' | 'poll_most_ms' | 'start_tries' | 'start_again_ms' | 'poll_tries'
  >;
  readonly clock: Pick<Clock, 'now' | 'schedule'>;
  /** Resolves when the task is stored in this state. Rejects if it cannot be stored, or if this process no longer owns it. */
  readonly note: (task: Task) => Promise<unknown>;
  readonly log: Pick<Logger, 'error'>;
}

/** A task after a step, not stored yet: the wait before the next step, or how the task must end. */
export type StepTaken =
  | { readonly task: Task; readonly waitMs: number }
  | { readonly task: Task; readonly ending: TaskEnding };

/** A poll of a job. */
export interface Poll {
  /** Number of earlier polls in a row: the waits grow with it. */
  readonly before: number;
  /** When the next regular poll is due, if a notification caused this poll; null for a regular poll. */
  readonly dueAtMs: number | null;
}

/** Maximum wait between attempts to start a job; the wait doubles up to it. */
const maxStartWaitMs = 60_000;
const expired: TaskEnding = { status: 'EXPIRED' };
const ourFault: TaskEnding = {
  status: 'FAILED',
  error: { code: 'internal_error', message: 'Something went wrong on our side.', param: null, channel: null },
};

/**
 * Runs the next step of a task: starts its job, polls it once, or finds that it must end. A record follows each effect; the
 * caller writes the last one. If the process dies between the two, the effect may happen again. Rejects on a failure of the
 * gateway itself; the task then stays as last stored.
 */
export async function takeStep(task: Task, poll: Poll, parts: StepParts): Promise<StepTaken> {
  if (task.ending !== null) return { task, ending: task.ending };
  if (parts.clock.now() >= task.deadlineAtMs) return { task, ending: expired };
  const taken = task.nativeId === null ? await start(task, parts) : await check(task, poll, parts);
  if ('ending' in taken) return taken;
  const leftMs = Math.max(0, task.deadlineAtMs - parts.clock.now());
  return { ...taken, waitMs: Math.min(taken.waitMs, leftMs) };
}

async function start(task: Task, parts: StepParts): Promise<StepTaken> {
  const { limits, clock } = parts;
  let noted = task;
  let saving: Promise<unknown> = Promise.resolve();
  const step = await beforeDeadline(clock, task.deadlineAtMs - clock.now(), async (isOver) => {
    const note = async (channelId: string): Promise<void> => {
      if (isOver()) throw new Error('the task has ended meanwhile');
      // Store it even if the channel is the same: a process that no longer owns the task must not start its job.
      saving = parts.note({ ...noted, channelId });
      await saving;
      noted = { ...noted, channelId };
    };
    return startOnce(noted, note, parts, () => saving);
  });
  // Also after a failure: until this write ends, its result is unknown, and no other write may precede it.
  await saving;
  if (step === null) return { task: noted, ending: expired };
  if (step.kind === 'ended') return { task: noted, ending: step.ending };
  const startTries = task.startTries + 1;
  if (step.kind === 'started') {
    const { channelId, nativeId } = step;
    const running: Task = { ...noted, status: 'RUNNING', channelId, nativeId, startTries, pollTries: 0 };
    return { task: running, waitMs: limits.poll_ms };
  }
  // A task with a parent starts on the parent's channel, whatever the result of this attempt.
  const channelId = step.channelId ?? (task.parents.length > 0 ? task.channelId : null);
  const waiting: Task = { ...noted, channelId, startTries };
  if (startTries >= limits.start_tries) return { task: waiting, ending: step.ending };
  const ownMs = backoffMs(task.startTries, limits.start_again_ms, maxStartWaitMs);
  return { task: waiting, waitMs: waitFor(ownMs, step.afterMs) };
}

async function startOnce(
  task: Task,
  note: (channelId: string) => Promise<void>,
  { work, log }: StepParts,
  saved: () => Promise<unknown>,
): Promise<StartStep> {
  let channelId = task.channelId;
  try {
    return await work.start(task, async (chosen) => {
      await note(chosen);
      channelId = chosen;
    });
  } catch (error) {
    await saved();
    log.error({ err: error, task_id: task.id }, 'the job of a task could not be started');
    return { kind: 'later', afterMs: null, channelId, ending: ourFault };
  }
}

async function check(task: Task, poll: Poll, parts: StepParts): Promise<StepTaken> {
  const { work, limits, clock } = parts;
  const step = await beforeDeadline(clock, task.deadlineAtMs - clock.now(), () =>
    checkOnce(work, task, parts),
  );
  if (step === null) return { task, ending: expired };
  if (step.kind === 'ended') return { task, ending: step.ending };
  // Failed polls after notifications do not count: otherwise an upstream could use up the limit by sending them.
  const failures = task.pollTries + (poll.dueAtMs === null ? 1 : 0);
  const pollTries = step.kind === 'running' ? 0 : failures;
  const asked: Task = { ...task, pollTries };
  if (step.kind === 'unclear' && pollTries >= limits.poll_tries) return { task: asked, ending: step.ending };
  const ownMs =
    poll.dueAtMs === null
      ? backoffMs(poll.before + 1, limits.poll_ms, limits.poll_most_ms)
      : Math.max(0, poll.dueAtMs - clock.now());
  return { task: asked, waitMs: waitFor(ownMs, step.afterMs) };
}

async function checkOnce(
  work: StepParts['work'],
  task: Task,
  { log }: Pick<StepParts, 'log'>,
): Promise<CheckStep> {
  try {
    return await work.check(task);
  } catch (error) {
    log.error({ err: error, task_id: task.id }, 'the job of a task could not be polled');
    return { kind: 'unclear', afterMs: null, ending: ourFault };
  }
}

/** The gateway's own wait, or that requested by the upstream if longer. The reader of the answer limits the latter. */
function waitFor(ownMs: number, askedMs: number | null): number {
  return Math.max(ownMs, askedMs ?? 0);
}
