import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Deliverer } from './deliverer.ts';
import type { EventStore } from './event-store.ts';

export interface LookAfterParts {
  readonly store: Pick<EventStore, 'glance' | 'release'>;
  readonly deliverer: Pick<Deliverer, 'dueAt' | 'look'>;
  /** Real time. */
  readonly timer: Pick<Clock, 'schedule'>;
  /** Does `work` for each of the processes that is gone. */
  readonly forEachGone: (others: readonly string[], work: (gone: string) => Promise<void>) => Promise<void>;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/** Looks after the events of processes that are gone, where several share a database. */
export interface LookAfter {
  begin(): void;
  stop(): Promise<void>;
}

const LOOK_MS = 2_000;

export function createLookAfter({ store, deliverer, timer, forEachGone, log }: LookAfterParts): LookAfter {
  let next: { cancel(): void } | null = null;
  let isStopped = false;
  let isFailing = false;
  let running: Promise<void> = Promise.resolve();

  const look = async (): Promise<void> => {
    try {
      const { holders, nextAtMs } = await store.glance();
      // Also what another process was going to attempt: whoever comes first takes it.
      if (nextAtMs !== null) deliverer.dueAt(nextAtMs);
      if (holders.length > 0) await forEachGone(holders, goOnFor);
      isFailing = false;
    } catch (error) {
      if (!isFailing && !isStopped) log.warn({ err: error }, 'events are looked after later');
      isFailing = true;
    }
    if (isStopped) return;
    next = timer.schedule(LOOK_MS, begin);
  };
  const goOnFor = async (gone: string): Promise<void> => {
    const events = await store.release(gone);
    if (events === 0) return;
    log.info({ holder: gone, events }, 'events of a process that is gone go on');
    deliverer.look();
  };
  const begin = (): void => {
    running = look();
  };
  return {
    begin,
    stop: async () => {
      isStopped = true;
      next?.cancel();
      await running;
    },
  };
}
