import type { Logger } from 'pino';
import type { Ledger } from '../../billing/ledger.ts';
import type { Clock } from '../../clock.ts';
import type { Calling } from '../calling.ts';
import type { Keeping } from '../media/keeping.ts';
import type { Task } from './task.ts';

/** What the jobs of tasks are started, polled and charged with. */
export interface JobService extends Calling, Keeping {
  /** Where the upstream of a channel reports back. */
  readonly callbackTo: (channelId: string) => string;
  /** A task of the account, for those that build on it; null for an unknown and a forgotten one alike. */
  readonly findTask: (accountId: string, taskId: string) => Promise<Task | null>;
  readonly ledger: Pick<Ledger, 'settle'>;
  readonly clock: Clock;
  readonly log: Logger;
}
