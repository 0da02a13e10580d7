import { authenticate } from '../access/authenticate.ts';
import type { Caller } from '../access/caller.ts';
import type { CallerAddress } from '../access/caller-address.ts';
import { credentialIn } from '../access/credential.ts';
import type { KeyRing } from '../access/key-ring.ts';
import type { Slots } from '../access/slots.ts';
import { takeSlot } from '../access/take-slot.ts';
import type { Exchange } from '../http/exchange.ts';
import { protocolOf } from '../protocols/protocol-of.ts';

/** Who may come in, and how many requests of theirs at once. */
export interface Access {
  readonly keys: KeyRing;
  /** Whose address counts for the allow-list of a key. */
  readonly callerAddress: CallerAddress;
  readonly slots: Slots;
}

/** The stages that business endpoints begin with: authenticate, then take a slot until the exchange is over. */
export async function enter(exchange: Exchange, access: Access): Promise<Caller> {
  const caller = identify(exchange, access);
  await takeSlot(exchange, caller, access.slots);
  return caller;
}

/** Authenticates; all that an endpoint begins with which only tells about the gateway and the account, and is over at once. */
export function identify(exchange: Exchange, access: Access): Caller {
  const secret = credentialIn(exchange, protocolOf(exchange.path));
  const forwardedFor = exchange.incoming.headersDistinct['x-forwarded-for']?.join(',');
  const address = access.callerAddress(exchange.peer, forwardedFor);
  const caller = authenticate(secret, address, access.keys, exchange.clock.now());
  exchange.facts.keyId = caller.keyId;
  return caller;
}
