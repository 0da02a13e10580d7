import { GatewayError } from '../errors/gateway-error.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Caller } from './caller.ts';
import type { Slot, Slots } from './slots.ts';

/** A slot is free as soon as any request of the user ends, so the caller should retry soon. */
const retryAfterS = 1;

/**
 * Takes one of the caller's slots until the exchange is over, or refuses at once. A call whose client may have left makes way.
 */
export function takeSlot(exchange: Exchange, caller: Caller, slots: Slots): Promise<void> | void {
  const keep = (slot: Slot): void => {
    slot.onLost(exchange.cut);
    exchange.whenOver(slot.release);
  };
  const keepOrMakeWay = (slot: Slot | null): Promise<void> | void =>
    slot === null ? takeFromLeaver(exchange, caller, slots).then(keep) : keep(slot);
  const taken = slots.take(caller.userId, caller.cap);
  return taken instanceof Promise ? taken.then(keepOrMakeWay) : keepOrMakeWay(taken);
}

async function takeFromLeaver(exchange: Exchange, { userId, cap }: Caller, slots: Slots): Promise<Slot> {
  const { facts, halfClosed } = exchange;
  while (facts.user !== null && (await halfClosed.cutOne(facts.user, exchange))) {
    const slot = await slots.take(userId, cap);
    if (slot !== null) return slot;
  }
  throw new GatewayError('concurrency_exceeded', { retryAfterS: retryAfterS });
}
