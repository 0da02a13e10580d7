import type { Allowing } from '../../billing/hold-allowance.ts';
import type { PriceList } from '../../billing/price-list.ts';
import type { Calling } from '../calling.ts';
import type { Keeping } from '../media/keeping.ts';

/** What pictures are served with. */
export interface ImageService extends Allowing, Calling, Keeping {
  readonly prices: PriceList;
  /** Where callers read a kept file. */
  readonly linkTo: (file: string) => string;
}
