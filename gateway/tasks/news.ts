import type { Clock } from '../clock.ts';
import { ExpiringSet } from './expiring-set.ts';
import { jobKey } from './job-key.ts';
import type { NewsStore } from './news-store.ts';

export interface NewsParts {
  /** Asks after a job, by its key; false when no task of it is held in this process. */
  readonly ask: (job: string) => boolean;
  /** The way to other processes; null where there are none. */
  readonly store: NewsStore | null;
  readonly clock: Pick<Clock, 'now'>;
}

/** What upstreams tell of jobs without being asked. It counts for nothing by itself: the job is asked after. */
export interface News {
  tell(channelId: string, nativeId: string): Promise<void>;
  /** Whether there was news of a job, or of none (null), that nobody knew yet; it is told once. */
  wasEarly(job: string | null): boolean;
  /** Tells other processes what they should know, and hears what they have told. */
  passOn(): Promise<void>;
}

/** News of jobs that nobody knows yet: their starts have not been answered, or they are none of ours. */
const MOST_EARLY = 1_000;
const EARLY_MS = 5 * 60_000;

export function createNews({ ask, store, clock }: NewsParts): News {
  const early = new ExpiringSet(MOST_EARLY, EARLY_MS, clock);

  const note = async (to: NewsStore, jobs: readonly string[]): Promise<void> => {
    for (const known of await to.note(jobs)) early.take(known);
  };
  return {
    tell: async (channelId, nativeId) => {
      const job = jobKey(channelId, nativeId);
      if (ask(job)) return;
      // Before anything else: it may be told of in the meantime that the job has been started.
      early.add(job);
      // A database that is out of reach learns of it later, as of what nobody knows yet.
      if (store !== null) await note(store, [job]).catch(() => {});
    },
    wasEarly: (job) => job !== null && early.take(job),
    passOn: async () => {
      if (store === null) return;
      const waiting = early.all();
      if (waiting.length > 0) await note(store, waiting);
      for (const job of await store.take()) ask(job);
    },
  };
}
