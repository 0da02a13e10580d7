import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { Dispatcher, type DispatcherParts } from './dispatcher.ts';
import type { Claimed, DueRows } from './due-rows.ts';
import { InFlight } from './in-flight.ts';
import { createReaper, type ForEachGone } from './reaper.ts';

export interface WorkLoopParts<Row extends Claimed> extends Omit<DispatcherParts<Row>, 'inFlight' | 'rows'> {
  /** The id of this process; no other one ever had it. */
  readonly own: string;
  readonly rows: DueRows<Row>;
  /** Lets go of what the process before held, where this one is alone on its database; how many rows are left over. */
  readonly resume: () => Promise<number>;
  /** Does `work` for each of the processes that is gone; null where this one is alone on its database. */
  readonly forEachGone: ForEachGone | null;
  readonly timer: Clock;
  /** How long work that is under way is waited for at the end. */
  readonly closeWithinMs: number;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/** The work on the rows of one table, by one process of possibly many. */
export interface WorkLoop extends Pick<Dispatcher<Claimed>, 'wake' | 'poll' | 'dueAt'> {
  /** Goes on with what was left by processes that are gone, and does what is due from now on. */
  open(): Promise<void>;
  /**
   * Resolves when nothing is under way in this process, or after `withinMs` of real time: for clocks that jump. What was
   * waited for in vain is not waited for again.
   */
  idle(withinMs: number): Promise<void>;
  /** Begins nothing, waits a while for what is under way, has the rest cut, and lets go of it: it goes on elsewhere. */
  close(cut: () => Promise<void>): Promise<void>;
}

/** How long work is waited for that is likely to hang. */
const slowWithinMs = 1_500;

export function createWorkLoop<Row extends Claimed>(parts: WorkLoopParts<Row>): WorkLoop {
  const { name, own, rows, timer, forEachGone, log } = parts;
  const inFlight = new InFlight();
  const dispatcher = new Dispatcher({ ...parts, inFlight });
  const reaper =
    forEachGone === null ? null : createReaper({ name, rows, forEachGone, dispatcher, timer, log });
  const idle = (withinMs: number): Promise<void> => inFlight.settled(timer, withinMs, slowWithinMs);
  return {
    wake: (shares, byMs) => dispatcher.wake(shares, byMs),
    poll: () => dispatcher.poll(),
    dueAt: (ms) => dispatcher.dueAt(ms),
    open: async () => {
      if (reaper !== null) {
        reaper.begin();
        return;
      }
      const left = await parts.resume();
      if (left > 0) log.info({ [name]: left }, `${name} of the process before go on`);
      dispatcher.poll();
    },
    idle,
    close: async (cut) => {
      dispatcher.stop();
      await reaper?.stop();
      await idle(parts.closeWithinMs);
      await cut();
      // Where this fails, the reaper of another process does it.
      await rows.release(own).catch(() => {});
    },
  };
}
