import type { Caller } from '../../access/caller.ts';
import { maxChargeOf, type TaskPrice, taskPriceOf } from '../../billing/task-price.ts';
import type { Pico } from '../../money/pico.ts';
import type { MediaRequest } from '../../requests/media/media-request.ts';
import type { Gateway } from '../gateway.ts';

/** What a unit of what a request makes costs its caller now. */
export function taskPrice(gateway: Gateway, caller: Caller, { model, fields }: MediaRequest): TaskPrice {
  return taskPriceOf(gateway.prices, caller.pricing, model, fields);
}

/** The most that a request can come to cost: what it holds of its account until it ends. */
export function maxCost(gateway: Gateway, caller: Caller, request: MediaRequest): Pico {
  return maxChargeOf(taskPrice(gateway, caller, request), request.model, request.fields);
}
