import type { CheckParts } from '../../../engine/parts/check-parts.ts';
import type { Target } from '../../../engine/parts/target.ts';
import type { Tasks } from '../../../engine/parts/tasks.ts';
import type { TaskDeadline } from '../../../oracle/faults/job-fault-facts.ts';
import type { TaskSeen } from '../../../oracle/faults/job-fault-verdict.ts';
import { isGone, isTerminal, type TaskRecord } from '../../../oracle/media/task-answer.ts';
import { deadlineLateMs } from '../../../steps/failures/pass-timeouts.ts';
import { deadlineMs } from '../waiting.ts';
import type { JobAttempt } from './open-job.ts';

/** How long to read a task before more of the deployment's time passes, ms of real time. */
const lookMs = 300;

/** More deadlines than one task meets in turn. */
const maxPasses = 12;

/** How far beyond a deadline to move the time, ms. */
const beyondMs = 1_000;

/** The assumed deadline of a task where the deployment declares none, ms. */
const usualDeadlineMs = 3_600_000;

/** The last read of a task. */
export interface Followed extends TaskSeen {
  readonly attempt: JobAttempt;
  /** Null when the submission was refused. */
  readonly record: TaskRecord | null;
}

/** Follows all tasks to their ends, and lets time pass where they need it. */
export async function followAll(
  { clock, tasks, target }: CheckParts,
  attempts: readonly JobAttempt[],
): Promise<Followed[]> {
  const isTimed = attempts.some(({ verdict }) => verdict.deadline !== null);
  const timeout = isTimed ? { withinMs: lookMs } : {};
  // Time that passes before a job has begun would count against its task.
  if (isTimed) await Promise.all(attempts.map(({ scene, verdict }) => scene.jobs(verdict.jobs[0])));
  let seen = await Promise.all(attempts.map((attempt) => look(tasks, attempt, timeout)));
  for (let pass = 1; pass <= maxPasses && isTimed && seen.some(isOpen); pass += 1) {
    const waitMs = nextStepMs(target, seen.filter(isOpen));
    await clock.elapse(waitMs, deadlineLateMs(waitMs));
    seen = await Promise.all(seen.map((one) => (isOpen(one) ? lookAgain(tasks, one.attempt, timeout) : one)));
  }
  return seen;
}

/** Slightly longer than the maximum time of a task from submission to end. */
export function taskDeadlineMs(target: Target): number {
  return (target.profile.tasks.deadline_ms ?? usualDeadlineMs) + beyondMs;
}

function isOpen({ end }: Followed): boolean {
  return end === null;
}

/** The smallest deadline that an open task waits for, or a pause between two retries. */
function nextStepMs(target: Target, open: readonly Followed[]): number {
  const steps = open.flatMap(({ attempt }) => stepMs(target, attempt.verdict.deadline) ?? []);
  return steps.length === 0 ? answerMs(target) : Math.min(...steps);
}

/** How much time must pass before a task with such a deadline can end; null for none. */
function stepMs(target: Target, deadline: TaskDeadline | null): number | null {
  switch (deadline) {
    case null:
    case 'link':
    case 'replay':
      return null;
    case 'answer':
    case 'file':
      return answerMs(target);
    case 'task':
      return taskDeadlineMs(target);
  }
}

function answerMs(target: Target): number {
  return deadlineMs(target, 'first-byte') + beyondMs;
}

/** An expired task may read as unknown (reading B-66). */
async function lookAgain(
  tasks: Tasks,
  attempt: JobAttempt,
  timeout: { withinMs?: number },
): Promise<Followed> {
  const { taskId, label, verdict } = attempt;
  if (taskId !== null && verdict.deadline === 'task') {
    const exchange = await tasks.read(taskId, { label });
    if (isGone(exchange)) return { attempt, end: 'EXPIRED', code: null, exchange, record: null };
  }
  return look(tasks, attempt, timeout);
}

async function look(tasks: Tasks, attempt: JobAttempt, timeout: { withinMs?: number }): Promise<Followed> {
  const { taskId, submitted, label } = attempt;
  if (taskId === null) return { attempt, end: 'refused', code: null, exchange: submitted, record: null };
  const { last } = await tasks.watch(taskId, { ...timeout, label });
  const end = isTerminal(last.status) ? (last.status as Exclude<TaskSeen['end'], null>) : null;
  return { attempt, end, code: last.error?.code ?? null, exchange: last.exchange, record: last };
}
