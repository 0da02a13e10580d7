import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { type Repeated, repeat } from '../work/repeat.ts';
import { ExpiringSet } from './expiring-set.ts';
import { jobKey } from './job-key.ts';

export interface JobNotificationParts {
  /** Makes the tasks of these jobs due; the jobs that there are tasks of, ended ones too. */
  readonly notify: (jobs: readonly string[]) => Promise<readonly string[]>;
  readonly clock: Pick<Clock, 'now'>;
  readonly timer: Pick<Clock, 'schedule'>;
  readonly log: Pick<Logger, 'warn'>;
}

/** What upstreams say of jobs without being asked. It counts for nothing by itself: the job is asked after. */
export interface JobNotifications extends Repeated {
  take(channelId: string, nativeId: string): Promise<void>;
  /** Says that a job is known from now on, of which there may have been notifications already. */
  started(channelId: string, nativeId: string): Promise<void>;
}

/** Notifications of jobs that nobody knows yet: their starts have not been answered, or they are none of ours. */
const maxEarly = 1_000;
const earlyMs = 5 * 60_000;
/** Another process may have started such a job meanwhile. */
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
    // Before anything else: its start may be kept in the meantime.
    early.add(job);
    // A database that is out of reach learns of it later, as of a job that nobody knows yet.
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
