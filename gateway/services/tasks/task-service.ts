import type { Allowing } from '../../billing/hold-allowance.ts';
import type { PriceList } from '../../billing/price-list.ts';
import type { Channels } from '../../routing/channels.ts';
import type { Tasks } from './tasks.ts';

/** What tasks are handed in and read with. */
export interface TaskService extends Allowing {
  readonly tasks: Pick<Tasks, 'submit' | 'find'>;
  readonly channels: Channels;
  readonly prices: PriceList;
  /** A task that takes longer has expired. */
  readonly deadlineMs: number;
  /** Where callers read a kept file. */
  readonly linkTo: (file: string) => string;
  /** A new random id of at least 128 bits with the prefix. */
  readonly newId: (prefix: string) => string;
}
