import type { Allowing } from '../../billing/hold-allowance.ts';
import type { PriceList } from '../../billing/price-list.ts';
import type { Channels } from '../../routing/channels.ts';
import type { Tasks } from './tasks.ts';

/** Dependencies for submitting and reading tasks. */
export interface TaskService extends Allowing {
  readonly tasks: Pick<Tasks, 'submit' | 'find'>;
  readonly channels: Channels;
  readonly prices: PriceList;
  /** A task that takes longer expires. */
  readonly deadlineMs: number;
  /** The URL at which callers read a kept file. */
  readonly linkTo: (file: string) => string;
  /** Makes a random id of at least 128 bits with the prefix. */
  readonly newId: (prefix: string) => string;
}
