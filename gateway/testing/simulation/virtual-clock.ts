import { type Clock, sleepOn } from '../../clock.ts';
import type { Owner, Scheduler } from './scheduler.ts';

/** The clock of one process: its timers die with it. */
export function virtualClock(scheduler: Scheduler, owner: Owner): Clock {
  const schedule: Clock['schedule'] = (delayMs, fire) =>
    scheduler.after(delayMs, owner, `${owner} timer`, fire);
  return {
    now: () => scheduler.nowMs,
    schedule,
    sleep: (ms, signal) => sleepOn({ schedule }, ms, signal),
    monotonic: () => scheduler.nowMs,
    nextDue: () => scheduler.nextOf(owner),
  };
}
