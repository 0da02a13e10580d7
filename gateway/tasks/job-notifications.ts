import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { type Repeated, repeat } from '../work/repeat.ts';
import { ExpiringSet } from './expiring-set.ts';
import { jobKey } from './job-key.ts';

export interface JobNotificationParts {
  /** Makes the tasks of these jobs due. Returns the jobs that have a task, ended ones included. */
  readonly notify: (jobs: readonly string[]) => Promise<readonly string[]>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly timer: Pick<Clock, 'schedule'>;
  readonly log: Pick<Logger, 'warn'>;
}

/** Job notifications that upstreams send on their own. A notification is only a hint: the gateway then polls the job. */
export interface JobNotifications extends Repeated {
  take(channelId: string, nativeId: string): Promise<void>;
  /** Reports that a job is now known. Notifications for it may have arrived earlier. */
  started(channelId: string, nativeId: string): Promise<void>;
}

/**
 * Maximum remembered notifications of unknown jobs. The start of such a job has not been answered yet, or the job is not
 * ours.
 */
const maxEarly = 1_000;
const earlyMs = 5 * 60_000;
/** Interval between retries of remembered notifications: another process may have started such a job meanwhile. */
const retryMs = 1_000;

export function createJobNotifications({
  notify,
  clock,
  timer,
  log,
}: JobNotificationParts): JobNotifications {
  const early = new ExpiringSet(maxEarly, earlyMs, clock);

  const pass = async (jobs: readonly string[]): Promise<void> => {
    for (const known of await notify(jobs)) early.take(known);
  };
  const take = async (channelId: string, nativeId: string): Promise<void> => {
    const job = jobKey(channelId, nativeId);
    // Remember it first: the start of the job may be stored in the meantime.
    early.add(job);
    // If the database is unreachable, the notification stays remembered, like one of an unknown job.
    await pass([job]).catch(() => {});
  };
  const passEarly = async (): Promise<void> => {
    const waiting = early.all();
    if (waiting.length > 0) await pass(waiting);
  };
  return {
    ...repeat(timer, retryMs, passEarly, (err) => log.warn({ err }, 'notifications of jobs wait')),
    take,
    started: async (channelId, nativeId) => {
      if (early.take(jobKey(channelId, nativeId))) await take(channelId, nativeId);
    },
  };
}
