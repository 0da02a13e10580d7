import type { Logger } from 'pino';
import type { Ledger } from '../../billing/ledger.ts';
import type { Clock } from '../../clock.ts';
import type { Calling } from '../calling.ts';
import type { Keeping } from '../media/keeping.ts';
import type { Task } from './task.ts';

/** Dependencies for starting, polling and charging jobs. */
export interface JobService extends Calling, Keeping {
  /** The URL to which the upstream of a channel sends callbacks. */
  readonly callbackTo: (channelId: string) => string;
  /** Finds a task of the account, as the parent of another. Null for unknown and forgotten tasks alike. */
  readonly findTask: (accountId: string, taskId: string) => Promise<Task | null>;
  readonly ledger: Pick<Ledger, 'hold' | 'settle' | 'releaseOfTask'>;
  readonly clock: Clock;
  readonly log: Logger;
}
