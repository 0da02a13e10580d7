import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../errors/gateway-error.ts';
import { countHeader } from '../http/adapt.ts';
import type { Caller } from './caller.ts';
import type { KeyRing, RingKey } from './key-ring.ts';

const KEY_PREFIX = 'sk-app-';

/**
 * The caller behind a request (specification, "Authentication"). Only the Authorization header counts; a disabled
 * key is reported as disabled even when it has expired too.
 */
export function authenticate(incoming: IncomingMessage, peer: string, keys: KeyRing, nowMs: number): Caller {
  const key = usableKey(incoming, keys, nowMs);
  if (!key.allows(peer)) throw new GatewayError('ip_not_allowed');
  const { record } = key;
  return {
    keyId: record.id,
    accountId: record.account_id,
    userId: record.user_id,
    appId: record.app_id,
    cap: record.cap,
    models: record.models,
  };
}

/** The key of a request if it is known, enabled and not expired, wherever it is used from. */
export function usableKey(incoming: IncomingMessage, keys: KeyRing, nowMs: number): RingKey {
  const secret = bearerToken(incoming);
  const key = secret?.startsWith(KEY_PREFIX) ? keys.find(secret) : null;
  if (!key) throw new GatewayError('invalid_api_key');
  if (key.record.disabled) throw new GatewayError('sk_disabled');
  const expiry = key.record.expires_at_ms;
  if (expiry !== null && nowMs >= expiry) throw new GatewayError('sk_expired');
  return key;
}

/** The token of a well-formed `Authorization: Bearer` header that was sent once, or null. */
export function bearerToken(incoming: IncomingMessage): string | null {
  if (countHeader(incoming, 'authorization') !== 1) return null;
  const match = /^bearer +([\x21-\x7e]+)$/i.exec(incoming.headers.authorization ?? '');
  return match?.[1] ?? null;
}
