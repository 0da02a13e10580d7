import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { Claimed, DueRows } from './due-rows.ts';
import type { Instances } from './instances.ts';
import { type Repeated, repeat } from './repeat.ts';

export interface ReaperParts {
  readonly name: string;
  readonly rows: Pick<DueRows<Claimed>, 'otherHolders' | 'release'>;
  readonly instances: Pick<Instances, 'forEachGone'>;
  readonly dispatcher: Pick<Dispatcher<Claimed>, 'poll'>;
  /** Real time, because a jump of the test clock would pause at every round. */
  readonly timer: Pick<Clock, 'schedule'>;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

const everyMs = 1_000;

/**
 * Where several processes share a database: frees the rows of processes that are gone, and polls for due rows that
 * others left.
 */
export function createReaper({ name, rows, instances, dispatcher, timer, log }: ReaperParts): Repeated {
  const free = async (gone: string): Promise<void> => {
    const freed = await rows.release(gone);
    if (freed > 0) log.info({ holder: gone, [name]: freed }, `${name} of a process that is gone go on`);
  };
  const round = async (): Promise<void> => {
    await instances.forEachGone(await rows.otherHolders(), free);
    dispatcher.poll();
  };
  return repeat(timer, everyMs, round, (err) => log.warn({ err }, `${name} of others are freed later`));
}
