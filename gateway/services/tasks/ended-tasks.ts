import type { Kysely } from 'kysely';
import type { Database } from '../../store/database.ts';
import type { Task } from './task.ts';

/** Reports the ends of tasks to callers who asked for events. */
export interface TaskEnds {
  /** Stores the events in the transaction that ends the tasks, so that neither exists without the other. */
  keep(trx: Kysely<Database>, ended: readonly Task[]): Promise<void>;
  /** Says that the transaction is over. Whether it was committed may be unknown. */
  kept(ended: readonly Task[]): void;
}
