import { authenticate } from '../access/authenticate.ts';
import type { Caller } from '../access/caller.ts';
import { credentialIn } from '../access/credential.ts';
import { takeSlot } from '../access/take-slot.ts';
import type { ChatModel } from '../catalogue/chat-models.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Gateway } from './gateway.ts';
import { protocolOf } from './protocol-of.ts';

/** The stages that every business endpoint begins with: authenticate, then take a slot until the exchange is over. */
export function enter(exchange: Exchange, gateway: Gateway): Caller {
  const secret = credentialIn(exchange, protocolOf(exchange.path));
  const caller = authenticate(secret, exchange.peer, gateway.keys, gateway.clock.now());
  exchange.facts.keyId = caller.keyId;
  takeSlot(exchange, caller, gateway.slots);
  return caller;
}

/** Whether a model works for the caller: enabled for the account, and served by some channel. */
export function availability(caller: Caller, { channels }: Gateway): (model: ChatModel) => boolean {
  return ({ id }) =>
    (caller.models === null || caller.models.includes(id)) &&
    channels.serving(id, caller.accountId).length > 0;
}
