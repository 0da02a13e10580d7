import { GatewayError } from '../errors/gateway-error.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Caller } from './caller.ts';
import type { Slot, Slots } from './slots.ts';

/** A slot is free as soon as any request of the user ends, so the caller should retry soon. */
const retryAfterS = 1;

/** Takes one of the caller's slots until the exchange is over, or refuses at once. */
export function takeSlot(exchange: Exchange, caller: Caller, slots: Slots): Promise<void> | void {
  const keep = (slot: Slot | null): void => {
    if (slot === null) throw new GatewayError('concurrency_exceeded', { retryAfterS: retryAfterS });
    slot.onLost(exchange.cut);
    exchange.whenOver(slot.release);
  };
  const taken = slots.take(caller.userId, caller.cap);
  return taken instanceof Promise ? taken.then(keep) : keep(taken);
}
