import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Task } from './task.ts';
import type { UnderWay } from './under-way.ts';

export interface PullerParts {
  /** Takes queued tasks, this many at most. */
  readonly take: (most: number) => Promise<readonly Task[]>;
  /** How many more this process may hold. */
  readonly room: () => number;
  readonly run: (task: Task) => void;
  readonly timer: Pick<Clock, 'schedule'>;
  readonly underWay: UnderWay;
  readonly log: Pick<Logger, 'warn'>;
}

/** Takes what is queued, as far as there is room. */
export interface Puller {
  /** Something may be queued. */
  wake(): void;
  /** There may be room again. */
  goOn(): void;
  stop(): void;
}

const MOST_AT_ONCE = 100;
const AGAIN_MS = 1_000;

export function createPuller({ take, room, run, timer, underWay, log }: PullerParts): Puller {
  let isPulling = false;
  let isStopped = false;
  /** Whether something may be queued that has not been asked for since. */
  let isMore = false;
  let again: { cancel(): void } | null = null;

  const goOn = (): void => {
    if (isMore && !isPulling && !isStopped && again === null && room() > 0) {
      isPulling = true;
      void underWay.add(pull());
    }
  };
  const pull = async (): Promise<void> => {
    try {
      while (isMore && room() > 0 && !isStopped) {
        isMore = false;
        const most = Math.min(MOST_AT_ONCE, room());
        const taken = await take(most);
        for (const task of taken) run(task);
        if (taken.length === most) isMore = true;
      }
    } catch (error) {
      isMore = true;
      if (!isStopped) retry(error);
    }
    isPulling = false;
    goOn();
  };
  const retry = (error: unknown): void => {
    log.warn({ err: error }, 'queued tasks are taken later');
    again = timer.schedule(AGAIN_MS, () => {
      again = null;
      goOn();
    });
  };
  return {
    wake: () => {
      isMore = true;
      goOn();
    },
    goOn,
    stop: () => {
      isStopped = true;
      again?.cancel();
    },
  };
}
