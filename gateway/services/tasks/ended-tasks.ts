import type { Kysely } from 'kysely';
import type { Database } from '../../store/database.ts';
import type { Task } from './task.ts';

/** What is told of tasks that have ended, to callers who asked to be told. */
export interface TaskEnds {
  /** Keeps what is to be told, in the transaction that ends the tasks: neither is ever there without the other. */
  keep(trx: Kysely<Database>, ended: readonly Task[]): Promise<void>;
  /** Says that the transaction is over; whether it came to anything nobody may know. */
  kept(ended: readonly Task[]): void;
}
