import type { RawBuilder } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { Dispatcher, type DispatcherParts } from './dispatcher.ts';
import type { Claimed, DueRows } from './due-rows.ts';
import { InFlight } from './in-flight.ts';
import type { Instances } from './instances.ts';
import { type Repeated, repeat } from './repeat.ts';

export interface WorkLoopParts<Row extends Claimed> extends Omit<DispatcherParts<Row>, 'inFlight' | 'rows'> {
  readonly instances: Instances;
  readonly rows: DueRows<Row>;
  /** For the only process on a database: releases the rows of the previous process, and returns how many. */
  readonly resume: () => Promise<number>;
  /** How long a row may wait at most, in ms. One that waits longer was written by a clock that was ahead. */
  readonly longestMs: RawBuilder<number>;
  readonly timer: Clock;
  /** How long to wait for work in flight at the end. */
  readonly closeWithinMs: number;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/** The work on the rows of one table, by one of possibly many processes. */
export interface WorkLoop extends Pick<Dispatcher<Claimed>, 'wake' | 'poll' | 'dueAt'> {
  /** Takes over the work of dead processes, and does due work from now on. */
  open(): Promise<void>;
  /**
   * Resolves when nothing is in flight in this process, or after `withinMs` of real time; for clocks that jump.
   * Work that exceeded this wait is not waited for again.
   */
  idle(withinMs: number): Promise<void>;
  /**
   * Starts no more work, waits a while for work in flight, cuts the rest, and releases its rows. Another process,
   * or the next start, continues them.
   */
  close(cut: () => Promise<void>): Promise<void>;
}

/** How long to wait for work that is likely to hang. */
const slowWithinMs = 1_500;

export function createWorkLoop<Row extends Claimed>(parts: WorkLoopParts<Row>): WorkLoop {
  const { name, instances, rows, clock, timer, longestMs, log } = parts;
  const inFlight = new InFlight();
  const dispatcher = new Dispatcher({ ...parts, inFlight });
  const pullBack = async (): Promise<void> => {
    const pulled = await rows.pullBack(clock.now(), longestMs);
    if (pulled > 0) log.info({ [name]: pulled }, `${name} go on that a clock ahead of ours had put off`);
  };
  const shared = { name, rows, pullBack, instances, dispatcher, timer, log };
  const reaper = instances.isShared ? createReaper(shared) : null;
  const idle = (withinMs: number): Promise<void> => inFlight.settled(timer, withinMs, slowWithinMs);
  return {
    wake: (shares, byMs) => dispatcher.wake(shares, byMs),
    poll: () => dispatcher.poll(),
    dueAt: (ms, id) => dispatcher.dueAt(ms, id),
    open: async () => {
      if (reaper !== null) {
        await pullBack();
        reaper.begin();
        return;
      }
      const left = await parts.resume();
      await pullBack();
      if (left > 0) log.info({ [name]: left }, `${name} of the process before go on`);
      dispatcher.poll();
    },
    idle,
    close: async (cut) => {
      dispatcher.stop();
      await reaper?.stop();
      await idle(parts.closeWithinMs);
      await cut();
      // If this fails, the reaper of another process does it.
      await rows.release(instances.own).catch(() => {});
    },
  };
}

interface ReaperParts {
  readonly name: string;
  readonly rows: Pick<DueRows<Claimed>, 'otherHolders' | 'release'>;
  readonly pullBack: () => Promise<void>;
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
function createReaper(parts: ReaperParts): Repeated {
  const { name, rows, pullBack, instances, dispatcher, timer, log } = parts;
  const free = async (gone: string): Promise<void> => {
    const freed = await rows.release(gone);
    if (freed > 0) log.info({ holder: gone, [name]: freed }, `${name} of a process that is gone go on`);
    await pullBack();
  };
  const round = async (): Promise<void> => {
    await instances.forEachGone(await rows.otherHolders(), free);
    dispatcher.poll();
  };
  return repeat(timer, everyMs, round, (err) => log.warn({ err }, `${name} of others are freed later`));
}
