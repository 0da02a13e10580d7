import type { Caller } from '../../access/caller.ts';
import type { PriceList } from '../../billing/price-list.ts';
import { maxChargeOf, maxUnitsOf, type TaskPrice, taskPriceOf } from '../../billing/task-price.ts';
import type { Pico } from '../../money/pico.ts';
import type { MediaRequest } from '../../requests/media/media-request.ts';

interface Pricing {
  readonly prices: PriceList;
}

/** The price of a task, with the units that its hold covers. */
export type HeldPrice = TaskPrice & { readonly heldUnits: number };

/** The current price of one unit for this caller, and how many units a task of this request may cost. */
export function heldPrice(pricing: Pricing, caller: Caller, request: MediaRequest): HeldPrice {
  const price = taskPrice(pricing, caller, request);
  return { ...price, heldUnits: maxUnitsOf(price, request.model, request.fields) };
}

/** The current price of one unit for this caller. */
export function taskPrice({ prices }: Pricing, caller: Caller, { model, fields }: MediaRequest): TaskPrice {
  return taskPriceOf(prices, caller.pricing, model, fields);
}

/** The maximum cost of a request: the amount of its hold until it ends. */
export function maxCost(pricing: Pricing, caller: Caller, request: MediaRequest): Pico {
  return maxChargeOf(taskPrice(pricing, caller, request), request.model, request.fields);
}
