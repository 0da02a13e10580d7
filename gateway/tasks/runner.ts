import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { type StepParts, type StepTaken, takeStep } from './take-step.ts';
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
  /** Told when a task is held no longer. */
  readonly onGone: (task: Task) => void;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

/** Takes the steps of the tasks that this process holds, each when it is due. */
export interface Runner {
  readonly held: number;
  run(task: Task): void;
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
  /** How often its job was asked after in a row, by this process. */
  looks: number;
  /** Steps in a row that failed through us. */
  failures: number;
  next: { cancel(): void } | null;
}

export function createRunner(parts: RunnerParts): Runner {
  const { clock, timer, underWay, log } = parts;
  const all = new Map<string, Held>();
  let isStopped = false;

  const letGo = (held: Held): void => {
    all.delete(held.task.id);
    parts.onGone(held.task);
  };
  const step = (held: Held): void => {
    held.next = null;
    if (!isStopped) void underWay.add(stepNow(held));
  };
  const stepNow = async (held: Held): Promise<void> => {
    const wasStarted = held.task.nativeId !== null;
    try {
      const taken = await takeStep(held.task, held.looks, stepParts(held));
      held.failures = 0;
      if (wasStarted) held.looks += 1;
      follow(held, taken);
    } catch (error) {
      if (isStopped) return;
      if (error instanceof TaskTaken) {
        log.info({ task_id: held.task.id }, 'another process has taken a task over');
        letGo(held);
        return;
      }
      log.warn({ err: error, task_id: held.task.id }, 'a step of a task is taken again');
      held.next = timer.schedule(doubling(AGAIN_FIRST_MS, AGAIN_MOST_MS, held.failures), () => step(held));
      held.failures += 1;
    }
  };
  const follow = (held: Held, { waitMs }: StepTaken): void => {
    if (waitMs === null) letGo(held);
    else if (!isStopped) held.next = clock.schedule(waitMs, () => step(held));
  };
  const stepParts = (held: Held): StepParts => ({
    ...parts,
    save: async (task) => {
      if (!(await parts.save(task))) throw new TaskTaken(task.id);
      held.task = task;
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
        if (known.next !== null) known.task = task;
        return;
      }
      const ending = task.ending ?? parts.doomed(task);
      const held: Held = { task: { ...task, ending }, looks: 0, failures: 0, next: null };
      all.set(task.id, held);
      step(held);
    },
    stop: () => {
      isStopped = true;
      for (const held of all.values()) held.next?.cancel();
    },
  };
}
