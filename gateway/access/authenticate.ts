import { GatewayError } from '../errors/gateway-error.ts';
import type { Caller } from './caller.ts';
import type { KeyRing, RingKey } from './key-ring.ts';

const keyPrefix = 'sk-app-';

/**
 * The caller of a request, by its key (specification, "Authentication"). A key that is both disabled and expired
 * is reported as disabled.
 */
export function authenticate(secret: string | null, address: string, keys: KeyRing, nowMs: number): Caller {
  const key = usableKey(secret, keys, nowMs);
  if (!key.allows(address)) throw new GatewayError('ip_not_allowed');
  const { record } = key;
  return {
    keyId: record.id,
    accountId: record.account_id,
    userId: record.user_id,
    appId: record.app_id,
    cap: record.cap,
    models: record.models,
    channelsOf: record.channels_of === null ? [record.account_id] : [record.account_id, record.channels_of],
    pricing: { markupBp: record.markup_bp, modelMarkupBp: record.model_markup_bp },
  };
}

/** Whether a text can be a key. */
export function isKey(secret: string | null): secret is string {
  return secret?.startsWith(keyPrefix) === true;
}

/** Finds the key with this secret if it is known, enabled and not expired. The allow-list is not checked here. */
export function usableKey(secret: string | null, keys: KeyRing, nowMs: number): RingKey {
  const key = secret?.startsWith(keyPrefix) ? keys.find(secret) : null;
  if (!key) throw new GatewayError('invalid_api_key');
  if (key.record.disabled) throw new GatewayError('sk_disabled');
  const expiry = key.record.expires_at_ms;
  if (expiry !== null && nowMs >= expiry) throw new GatewayError('sk_expired');
  return key;
}
