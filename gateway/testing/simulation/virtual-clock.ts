import type { Clock } from '../../clock.ts';
import type { Owner, Scheduler } from './scheduler.ts';

/** The clock of one process: its timers die with it. */
export function virtualClock(scheduler: Scheduler, owner: Owner): Clock {
  const schedule: Clock['schedule'] = (delayMs, fire) =>
    scheduler.after(delayMs, owner, `${owner} timer`, fire);
  return {
    now: () => scheduler.nowMs,
    schedule,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) {
          reject(signal.reason);
          return;
        }
        const leave = (): void => {
          timer.cancel();
          reject(signal?.reason);
        };
        const timer = schedule(ms, () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        });
        signal?.addEventListener('abort', leave, { once: true });
      }),
    nextDue: () => scheduler.nextOf(owner),
  };
}
