import type { Logger } from 'pino';
import type { Allowing } from '../../billing/hold-allowance.ts';
import type { PriceList } from '../../billing/price-list.ts';
import type { Catalogue } from '../../catalogue/chat-models.ts';
import type { Calling } from '../calling.ts';

/** What chat is served with. */
export interface ChatService extends Allowing, Calling {
  readonly catalogue: Catalogue;
  /** Which model stands in for which, by our ids. */
  readonly fallbacks: ReadonlyMap<string, string>;
  readonly prices: PriceList;
  /** A new random id of at least 128 bits with the prefix. */
  readonly newId: (prefix: string) => string;
  readonly log: Logger;
}
