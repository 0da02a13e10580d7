import type { CallerAddress } from '../../access/caller-address.ts';
import { bearerToken } from '../../access/credential.ts';
import type { KeyRing } from '../../access/key-ring.ts';
import { isSecret } from '../../admin/guard.ts';
import { type Guesses, TooManyTries } from '../../admin/guesses.ts';
import type { AdminToken } from '../../config/admin.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { Endpoint } from '../../http/route.ts';

export interface AdminGuard {
  readonly tokens: readonly AdminToken[];
  readonly keys: KeyRing;
  readonly guesses: Guesses;
  readonly callerAddress: CallerAddress;
}

/**
 * Runs first for every path under /api/admin (B-99). Only an admin token passes, and its name is noted. A business key in any
 * state gets `admin_token_required`. Everything else is an authentication failure, as on any path, so that admin paths stay
 * secret. It also counts as a guess, which slows the caller's address down.
 */
export function guardAdmin({ tokens, keys, guesses, callerAddress }: AdminGuard): Endpoint {
  const known = (token: string): Known | null => {
    // Every token is compared, so that the time does not reveal which one was right.
    const [right] = tokens.filter((one) => isSecret(token, one.token));
    if (right !== undefined) return { admin: right.name };
    const key = keys.find(token);
    return key === null ? null : { admin: null, keyId: key.record.id };
  };
  return async (exchange) => {
    const token = bearerToken(exchange.incoming);
    if (token === null) throw new GatewayError('invalid_api_key');
    const address = addressOf(exchange, callerAddress);
    const found = await guesses.judge(address, () => known(token)).catch(refuseTooMany);
    if (found === null) throw new GatewayError('invalid_api_key');
    exchange.facts.admin = found.admin;
    if (found.admin !== null) return;
    exchange.facts.keyId = found.keyId;
    throw new GatewayError('admin_token_required');
  };
}

/** The name of an admin token, or else the business key. */
type Known = { readonly admin: string } | { readonly admin: null; readonly keyId: string };

function addressOf({ incoming, peer }: Exchange, callerAddress: CallerAddress): string {
  return callerAddress(peer, incoming.headersDistinct['x-forwarded-for']?.join(','));
}

/**
 * Rejects like a wrong token: the specification reserves rate_limit_exceeded (B-104), and a guessing caller learns nothing.
 */
function refuseTooMany(error: unknown): never {
  if (!(error instanceof TooManyTries)) throw error;
  const retryAfterS = Math.max(1, Math.ceil(error.retryAfterMs / 1_000));
  const message = `Too many wrong tokens came from this address: try again in ${retryAfterS} s.`;
  throw new GatewayError('invalid_api_key', { message, retryAfterS });
}
