import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Db, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Database } from '../store/database.ts';

/**
 * The queue on the gateway's database that says which tasks nobody holds: a job for each task that has not ended, waiting
 * or taken. Everything but `open` and `clear` is part of the caller's transaction.
 */
export interface StepQueue {
  /** Makes what it needs in the database; only once does that take long. Safe to be called again, also after a failure. */
  open(): Promise<void>;
  send(trx: Kysely<Database>, jobIds: readonly string[]): Promise<void>;
  /** Takes waiting jobs, the oldest first; nobody else gets them. */
  take(trx: Kysely<Database>, most: number): Promise<string[]>;
  /** Removes jobs, waiting or taken. */
  drop(trx: Kysely<Database>, jobIds: readonly string[]): Promise<void>;
  /** Removes all jobs: for a process that is alone on its database. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** Where the jobs stand, for those who look whether one is missing. */
export const QUEUE_SCHEMA = 'gatecheck_queue';
export const QUEUE = 'task-steps';
/** We wake ourselves, keep nothing that is over and never let a job expire: the library's own rounds have little to do. */
const SELDOM_S = 3_600;

interface Started {
  readonly boss: PgBoss;
  /** The library's way to a database that is ours. */
  readonly over: (db: Kysely<Database>) => Db;
}

export function createStepQueue(db: Kysely<Database>, log: Pick<Logger, 'warn'>): StepQueue {
  let opening: Promise<Started> | null = null;
  const start = async (): Promise<Started> => {
    // Loaded when it is needed: a gateway without tasks starts sooner.
    const { PgBoss, fromKysely } = await import('pg-boss');
    const boss = new PgBoss({
      db: fromKysely(db),
      schema: QUEUE_SCHEMA,
      schedule: false,
      supervise: false,
      monitorVacuum: false,
      reindex: false,
      queueCacheIntervalSeconds: SELDOM_S,
      bamIntervalSeconds: SELDOM_S,
      flowIntervalSeconds: SELDOM_S,
    });
    boss.on('error', (error) => log.warn({ err: error }, 'the queue of the tasks failed'));
    try {
      await boss.start();
      await boss.createQueue(QUEUE, { retryLimit: 0 });
      // The library looks a queue up at its first use, on another connection: that must not happen in a transaction, which
      // on the embedded database keeps everybody else waiting.
      await boss.deleteJob(QUEUE, randomUUID());
      return { boss, over: fromKysely };
    } catch (error) {
      await boss.stop({ graceful: false }).catch(() => {});
      throw error;
    }
  };
  const started = (): Promise<Started> => {
    opening ??= start().catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  };
  return {
    open: async () => {
      await started();
    },
    send: async (trx, jobIds) => {
      const { boss, over } = await started();
      const jobs = jobIds.map((id) => ({ id }));
      await boss.insert(QUEUE, jobs, { db: over(trx) });
    },
    take: async (trx, most) => {
      const { boss, over } = await started();
      const jobs = await boss.fetch(QUEUE, { batchSize: most, db: over(trx) });
      return jobs.map((job) => job.id);
    },
    drop: async (trx, jobIds) => {
      const { boss, over } = await started();
      await boss.deleteJob(QUEUE, [...jobIds], { db: over(trx) });
    },
    clear: async () => {
      const { boss } = await started();
      await boss.deleteAllJobs(QUEUE);
    },
    close: async () => {
      const queue = await opening?.catch(() => null);
      await queue?.boss.stop({ graceful: false });
    },
  };
}
