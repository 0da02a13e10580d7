import { usableKey } from '../../access/authenticate.ts';
import { bearerToken } from '../../access/credential.ts';
import type { KeyRing } from '../../access/key-ring.ts';
import { isSecret } from '../../admin/guard.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { Endpoint } from '../../http/route.ts';

/**
 * Runs first for every path under /api/admin (B-99). Only the admin token passes. A valid business key is refused
 * as such. Everything else is an authentication failure, as on any path, so that nobody learns which admin paths
 * exist.
 */
export function guardAdmin(adminToken: string | null, keys: KeyRing): Endpoint {
  return (exchange) => {
    const token = bearerToken(exchange.incoming);
    if (isSecret(token, adminToken)) return;
    const key = usableKey(token, keys, exchange.clock.now());
    exchange.facts.keyId = key.record.id;
    throw new GatewayError('admin_token_required');
  };
}
