import { authenticate } from '../access/authenticate.ts';
import type { Caller } from '../access/caller.ts';
import type { CallerAddress } from '../access/caller-address.ts';
import { credentialIn } from '../access/credential.ts';
import { judgeCurrently } from '../access/current-caller.ts';
import type { Directory } from '../access/directory.ts';
import type { KeyRing } from '../access/key-ring.ts';
import type { Slots } from '../access/slots.ts';
import { takeSlot } from '../access/take-slot.ts';
import type { Exchange } from '../http/exchange.ts';
import { protocolOf } from '../protocols/protocol-of.ts';

/** Decides which callers get in, and how many requests each may have in flight. */
export interface Access {
  readonly keys: KeyRing;
  /** Refreshes the keys when they are out of date. */
  readonly directory: Pick<Directory, 'isFresh' | 'look'>;
  /** Determines the address to compare with the allow-list of a key. */
  readonly callerAddress: CallerAddress;
  readonly slots: Slots;
}

/** The first stages of a business endpoint: authenticate, then take a slot until the exchange is over. */
export async function enter(exchange: Exchange, access: Access): Promise<Caller> {
  const known = identify(exchange, access);
  const caller = known instanceof Promise ? await known : known;
  await takeSlot(exchange, caller, access.slots);
  return caller;
}

/**
 * Authenticates only. Endpoints that just read about the gateway or the account take no slot, because they end at
 * once.
 */
export function identify(exchange: Exchange, access: Access): Promise<Caller> | Caller {
  const secret = credentialIn(exchange, protocolOf(exchange.path));
  const address = access.callerAddress(exchange.peer, forwardedFor(exchange));
  return judgeCurrently(secret, access.directory, () => {
    const caller = authenticate(secret, address, access.keys, exchange.clock.now());
    exchange.facts.keyId = caller.keyId;
    exchange.facts.user = `${caller.accountId} ${caller.userId}`;
    return caller;
  });
}

/** All values of the header, as sent. This makes Node sort all headers again, so call it only when needed. */
function forwardedFor({ incoming }: Exchange): string | undefined {
  if (incoming.headers['x-forwarded-for'] === undefined) return undefined;
  return incoming.headersDistinct['x-forwarded-for']?.join(',');
}
