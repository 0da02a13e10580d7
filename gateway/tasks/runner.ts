import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { jobOf } from './job-key.ts';
import { type Look, type StepParts, type StepTaken, takeStep } from './take-step.ts';
import type { Task, TaskEnding } from './task.ts';
import type { UnderWay } from './under-way.ts';
import { doubling } from './waits.ts';

export interface RunnerParts extends Omit<StepParts, 'save' | 'log'> {
  /** False when this process does not hold the task any more. */
  readonly save: (task: Task) => Promise<boolean>;
  /** For waits before a step is taken again that failed through us: real time, so that a clock that is moved passes them by. */
  readonly timer: Pick<Clock, 'schedule'>;
  readonly underWay: UnderWay;
  /** What a task ends as before its first step, where it must; null for all others. */
  readonly doomed: (task: Task) => TaskEnding | null;
  /** Told once of a job that has just been started; whether there was news of it before. */
  readonly hadNews: (task: Task) => boolean;
  /** Told when a task is held no longer. */
  readonly onGone: (task: Task) => void;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

/** Takes the steps of the tasks that this process holds, each when it is due. */
export interface Runner {
  readonly held: number;
  run(task: Task): void;
  /**
   * Asks after a job of which there is news: at once, or right after the look that is under way. Looks of this kind follow
   * each other no faster than the first looks at a job do, and change nothing about those that are due anyway. False when no
   * task that is held here has this job.
   */
  news(job: string): boolean;
  /** Takes no step from now on; those under way go on. */
  stop(): void;
}

/** Another process holds the task now: nothing of ours is to be kept. */
class TaskTaken extends Error {
  override name = 'TaskTaken';
}

const AGAIN_FIRST_MS = 250;
const AGAIN_MOST_MS = 30_000;

interface Held {
  /** As it was last kept. */
  task: Task;
  /** How often its job was asked after in a row, by this process; looks for the sake of news are beside these. */
  looks: number;
  /** When the next of these is due. */
  dueAtMs: number;
  /** When it was asked after for the sake of news the last time. */
  newsAtMs: number;
  /** Whether there was news during the step that is under way. */
  hasNews: boolean;
  /** Steps in a row that failed through us. */
  failures: number;
  /** Null while a step is under way. Nothing comes before one that failed through us is taken again. */
  next: { readonly atMs: number; cancel(): void } | null;
}

export function createRunner(parts: RunnerParts): Runner {
  const { clock, timer, underWay, log, limits } = parts;
  const all = new Map<string, Held>();
  /** Those of them whose job has been started, by their jobs. */
  const byJob = new Map<string, Held>();
  let isStopped = false;

  const keep = (held: Held, task: Task): void => {
    held.task = task;
    const job = jobOf(task);
    if (job !== null) byJob.set(job, held);
  };
  const letGo = (held: Held): void => {
    all.delete(held.task.id);
    const job = jobOf(held.task);
    if (job !== null && byJob.get(job) === held) byJob.delete(job);
    parts.onGone(held.task);
  };
  const step = (held: Held, isForNews = false): void => {
    held.next = null;
    if (isStopped) return;
    if (isForNews) held.newsAtMs = clock.now();
    void underWay.add(stepNow(held, isForNews));
  };
  const stepNow = async (held: Held, isForNews: boolean): Promise<void> => {
    const wasStarted = held.task.nativeId !== null;
    const look: Look = { before: held.looks, dueAtMs: isForNews ? held.dueAtMs : null };
    try {
      const taken = await takeStep(held.task, look, stepParts(held));
      held.failures = 0;
      if (wasStarted && !isForNews) held.looks += 1;
      if (!wasStarted && held.task.nativeId !== null && parts.hadNews(held.task)) held.hasNews = true;
      follow(held, taken);
    } catch (error) {
      if (isStopped) return;
      if (error instanceof TaskTaken) {
        log.info({ task_id: held.task.id }, 'another process has taken a task over');
        letGo(held);
        return;
      }
      log.warn({ err: error, task_id: held.task.id }, 'a step of a task is taken again');
      const waitMs = doubling(AGAIN_FIRST_MS, AGAIN_MOST_MS, held.failures);
      held.failures += 1;
      const { cancel } = timer.schedule(waitMs, () => step(held));
      held.next = { atMs: 0, cancel };
    }
  };
  const follow = (held: Held, { waitMs }: StepTaken): void => {
    if (waitMs === null) letGo(held);
    if (waitMs === null || isStopped) return;
    held.dueAtMs = clock.now() + waitMs;
    plan(held, held.dueAtMs, false);
    if (held.hasNews) askSoon(held);
  };
  const plan = (held: Held, atMs: number, isForNews: boolean): void => {
    const { cancel } = clock.schedule(atMs - clock.now(), () => step(held, isForNews));
    held.next = { atMs, cancel };
  };
  const askSoon = (held: Held): void => {
    held.hasNews = held.next === null;
    const atMs = Math.max(clock.now(), held.newsAtMs + limits.poll_ms);
    if (isStopped || held.next === null || held.next.atMs <= atMs) return;
    held.next.cancel();
    if (atMs <= clock.now()) step(held, true);
    else plan(held, atMs, true);
  };
  const stepParts = (held: Held): StepParts => ({
    ...parts,
    save: async (task) => {
      if (!(await parts.save(task))) throw new TaskTaken(task.id);
      keep(held, task);
    },
  });
  return {
    get held() {
      return all.size;
    },
    run: (task) => {
      if (isStopped) return;
      const known = all.get(task.id);
      if (known !== undefined) {
        // Others had it meanwhile: what they kept counts.
        if (known.next !== null) keep(known, task);
        return;
      }
      const held = newlyHeld({ ...task, ending: task.ending ?? parts.doomed(task) });
      all.set(task.id, held);
      keep(held, held.task);
      step(held);
    },
    news: (job) => {
      const held = byJob.get(job);
      if (held !== undefined) askSoon(held);
      return held !== undefined;
    },
    stop: () => {
      isStopped = true;
      for (const held of all.values()) held.next?.cancel();
    },
  };
}

function newlyHeld(task: Task): Held {
  const never = Number.NEGATIVE_INFINITY;
  return { task, looks: 0, dueAtMs: never, newsAtMs: never, hasNews: false, failures: 0, next: null };
}
