import type { Allowing } from '../../billing/hold-allowance.ts';
import type { PriceList } from '../../billing/price-list.ts';
import type { AbandonedCalls } from '../../upstreams/abandoned-calls.ts';
import type { Calling } from '../calling.ts';
import type { Keeping } from '../media/keeping.ts';

/** Dependencies of image requests. */
export interface ImageService extends Allowing, Calling, Keeping {
  readonly prices: PriceList;
  readonly abandoned: AbandonedCalls;
  /** The URL at which callers read a kept file. */
  readonly linkTo: (file: string) => string;
}
