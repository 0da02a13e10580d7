import { GatewayError } from '../errors/gateway-error.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Caller } from './caller.ts';
import type { Slots } from './slots.ts';

/** A slot is free as soon as any request of the user ends, so the caller should retry soon. */
const retryAfterS = 1;

/** Takes one of the caller's slots until the exchange is over, or refuses at once. */
export async function takeSlot(exchange: Exchange, caller: Caller, slots: Slots): Promise<void> {
  const slot = await slots.take(caller.userId, caller.cap);
  if (slot === null) throw new GatewayError('concurrency_exceeded', { retryAfterS: retryAfterS });
  slot.onLost(() => exchange.outgoing.destroy());
  exchange.whenOver(slot.release);
}
