import { usableKey } from '../../access/authenticate.ts';
import { bearerToken } from '../../access/credential.ts';
import { isSecret } from '../../admin/guard.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { Gateway } from '../../services/gateway.ts';

/**
 * Everything under /api/admin begins with this (B-99). Only the admin token passes; a business key in good order is told
 * so, and everything else is an authentication failure as anywhere, so that nobody learns which admin paths exist.
 */
export function guardAdmin(exchange: Exchange, gateway: Gateway): void {
  const token = bearerToken(exchange.incoming);
  if (isSecret(token, gateway.adminToken)) return;
  const key = usableKey(token, gateway.keys, gateway.clock.now());
  exchange.facts.keyId = key.record.id;
  throw new GatewayError('admin_token_required');
}
