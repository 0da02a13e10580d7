import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Task } from '../services/tasks/task.ts';
import { type Repeated, repeat } from '../work/repeat.ts';
import type { TaskStore } from './task-store.ts';

export interface RetentionParts {
  readonly store: Pick<TaskStore, 'endedBefore' | 'remove'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Real time: with the test clock, a jump would pause at every round. */
  readonly timer: Pick<Clock, 'schedule'>;
  readonly retentionMs: number;
  /** Removes the outputs of a task. */
  readonly forget: (task: Task) => Promise<void>;
  /** Removes stored files whose task does not exist or no longer uses them. */
  readonly removeOldFiles: () => Promise<void>;
  readonly log: Pick<Logger, 'warn'>;
}

/** Periodically removes tasks whose retention is over. */
export interface Retention extends Repeated {
  /** Removes tasks whose retention is over now. */
  forgetOld(): Promise<void>;
}

const everyMs = 60_000;
/** Old files are removed in one of this many rounds. */
const roundsAFileRound = 10;
const forgetAtOnce = 100;

export function createRetention(parts: RetentionParts): Retention {
  const { store, clock, timer, log } = parts;
  let finished = 0;
  let forgetting: Promise<void> | null = null;

  const forgetOld = (): Promise<void> => {
    forgetting ??= forget().finally(() => {
      forgetting = null;
    });
    return forgetting;
  };
  const forget = async (): Promise<void> => {
    for (;;) {
      const old = await store.endedBefore(clock.now() - parts.retentionMs, forgetAtOnce);
      if (old.length === 0 || rounds.isStopped) return;
      for (const task of old) await parts.forget(task);
      await store.remove(old.map((task) => task.id));
    }
  };
  const round = async (): Promise<void> => {
    await forgetOld();
    if (finished % roundsAFileRound === 0) await parts.removeOldFiles();
    finished += 1;
  };
  const rounds = repeat(timer, everyMs, round, (err) => log.warn({ err }, 'tasks are forgotten later'));
  return {
    begin: rounds.begin,
    forgetOld,
    stop: async () => {
      await rounds.stop();
      await forgetting?.catch(() => {});
    },
  };
}
