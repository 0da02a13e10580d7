import type { Logger } from 'pino';
import type { Allowing } from '../../billing/hold-allowance.ts';
import type { PriceList } from '../../billing/price-list.ts';
import type { Catalogue } from '../../catalogue/chat-models.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import type { AbandonedCalls } from '../../upstreams/abandoned-calls.ts';
import type { Calling } from '../calling.ts';

/** Dependencies of chat. */
export interface ChatService extends Allowing, Calling {
  readonly catalogue: Catalogue;
  /** The fallback model of each model, by our ids. */
  readonly fallbacks: ReadonlyMap<string, string>;
  readonly prices: PriceList;
  readonly abandoned: AbandonedCalls;
  /** The answer length to hold for a request without `max_tokens`, in tokens. */
  readonly answerTokens: number;
  /** Makes a random id of at least 128 bits with the prefix. */
  readonly newId: (prefix: string) => string;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'unknownEnding' | 'doubtfulUsage'>;
}
