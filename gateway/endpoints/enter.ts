import { authenticate } from '../access/authenticate.ts';
import type { Caller } from '../access/caller.ts';
import { credentialIn } from '../access/credential.ts';
import { takeSlot } from '../access/take-slot.ts';
import type { Exchange } from '../http/exchange.ts';
import { protocolOf } from '../protocols/protocol-of.ts';
import type { Gateway } from '../services/gateway.ts';

/** The stages that business endpoints begin with: authenticate, then take a slot until the exchange is over. */
export async function enter(exchange: Exchange, gateway: Gateway): Promise<Caller> {
  const caller = identify(exchange, gateway);
  await takeSlot(exchange, caller, gateway.slots);
  return caller;
}

/** Authenticates; all that an endpoint begins with which only tells about the gateway and the account, and is over at once. */
export function identify(exchange: Exchange, gateway: Gateway): Caller {
  const secret = credentialIn(exchange, protocolOf(exchange.path));
  const forwardedFor = exchange.incoming.headersDistinct['x-forwarded-for']?.join(',');
  const address = gateway.callerAddress(exchange.peer, forwardedFor);
  const caller = authenticate(secret, address, gateway.keys, gateway.clock.now());
  exchange.facts.keyId = caller.keyId;
  return caller;
}
