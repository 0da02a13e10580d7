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

/** Job notifications that upstreams send by themselves. A notification is only a hint: the job is polled. */
export interface JobNotifications extends Repeated {
  take(channelId: string, nativeId: string): Promise<void>;
  /** Reports that a job is known from now on. Notifications of it may have come before. */
  started(channelId: string, nativeId: string): Promise<void>;
}

/**
 * How many notifications of unknown jobs are remembered. Their starts have not been answered yet, or the jobs are
 * not ours.
 */
const maxEarly = 1_000;
const earlyMs = 5 * 60_000;
/** How often remembered notifications are retried: another process may have started such a job meanwhile. */
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
    // Remember it before anything else: the start of the job may be stored in the meantime.
    early.add(job);
    // If the database is out of reach, the notification stays remembered like one of an unknown job.
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
