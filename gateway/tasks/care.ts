import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Task } from './task.ts';
import type { TaskStore } from './task-store.ts';

export interface CareParts {
  readonly store: Pick<TaskStore, 'otherHolders' | 'release' | 'queueStrays' | 'endedBefore' | 'remove'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Real time: a clock that is moved would stop at every round. */
  readonly timer: Pick<Clock, 'schedule'>;
  /** Does `work` for each of the processes that is gone; null where no other process can be. */
  readonly forEachGone:
    | ((others: readonly string[], work: (gone: string) => Promise<void>) => Promise<void>)
    | null;
  readonly retentionMs: number;
  /** Removes what a task made. */
  readonly forget: (task: Task) => Promise<void>;
  /** Removes kept files that belong to no task, or no longer. */
  readonly removeOldFiles: () => Promise<void>;
  /** Whether there is a queue yet. */
  readonly isOpen: () => boolean;
  /** Passes on what upstreams have told of jobs to those who hold their tasks. */
  readonly passNewsOn: () => Promise<void>;
  /** Takes what is queued. */
  readonly wake: () => void;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/** Looks after tasks that nobody else looks after: those of processes that are gone, those in no queue, and those that are over. */
export interface Care {
  begin(): void;
  /** Forgets what is over for long enough, now. */
  forgetOld(): Promise<void>;
  stop(): Promise<void>;
}

/** Between two looks, where there are other processes and where there are none. */
const SHARED_LOOK_MS = 1_000;
const SOLE_LOOK_MS = 60_000;
/** Looks between two whole rounds where there are other processes, and rounds between two over the kept files. */
const SHARED_LOOKS_A_ROUND = 60;
const ROUNDS_A_FILE_ROUND = 10;
const FORGET_AT_ONCE = 100;

export function createCare(parts: CareParts): Care {
  const { store, clock, timer, forEachGone, log, wake } = parts;
  let next: { cancel(): void } | null = null;
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();
  let looks = 0;
  let rounds = 0;
  let isFailing = false;
  let forgetting: Promise<void> | null = null;

  const forgetOld = (): Promise<void> => {
    forgetting ??= forget().finally(() => {
      forgetting = null;
    });
    return forgetting;
  };
  const forget = async (): Promise<void> => {
    for (;;) {
      const old = await store.endedBefore(clock.now() - parts.retentionMs, FORGET_AT_ONCE);
      if (old.length === 0 || isStopped) return;
      for (const task of old) await parts.forget(task);
      await store.remove(old.map((task) => task.id));
    }
  };
  const takeOver = async (): Promise<void> => {
    if (forEachGone === null) return;
    const others = await store.otherHolders();
    if (others.length === 0) return;
    await forEachGone(others, async (gone) => {
      const tasks = await store.release(gone);
      if (tasks > 0) log.info({ holder: gone, tasks }, 'tasks of a process that is gone go on');
    });
  };
  const round = async (): Promise<void> => {
    if (parts.isOpen()) {
      const strays = await store.queueStrays();
      if (strays > 0) {
        log.warn({ tasks: strays }, 'tasks that were in no queue go on');
        wake();
      }
    }
    await forgetOld();
    if (rounds % ROUNDS_A_FILE_ROUND === 0) await parts.removeOldFiles();
    rounds += 1;
  };
  const look = async (): Promise<void> => {
    try {
      if (parts.isOpen()) {
        await parts.passNewsOn();
        await takeOver();
        wake();
      }
      if (forEachGone === null || looks % SHARED_LOOKS_A_ROUND === 0) await round();
      looks += 1;
      isFailing = false;
    } catch (error) {
      // Once until it goes well again: where others come and go a look follows each second.
      if (!isFailing && !isStopped) log.warn({ err: error }, 'tasks are looked after later');
      isFailing = true;
    }
    if (isStopped) return;
    next = timer.schedule(forEachGone === null ? SOLE_LOOK_MS : SHARED_LOOK_MS, () => {
      running = look();
    });
  };
  return {
    begin: () => {
      running = look();
    },
    forgetOld,
    stop: async () => {
      isStopped = true;
      next?.cancel();
      await running;
      await forgetting?.catch(() => {});
    },
  };
}
