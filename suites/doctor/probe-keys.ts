import type { KeyName, Profile } from '../profile/profile.ts';
import type { WireClient } from '../wire/client.ts';
import { type Exchange, errorCodeOf } from '../wire/exchange.ts';

/** Keys that a deployment has to refuse, with code and rule of the refusal ("Errors"). Every other key lists models. */
const outside = { code: 'ip_not_allowed', rule: 'AUTH-010' };
const refusedKeys: Readonly<Partial<Record<KeyName, typeof outside>>> = {
  disabled: { code: 'sk_disabled', rule: 'AUTH-008' },
  expired: { code: 'sk_expired', rule: 'AUTH-009' },
  ip_restricted: outside,
  ip_before: outside,
  ip_after: outside,
};

/** The result of probing a declared key. */
export interface KeyProbe {
  /** `keys.K1`, or `tenants.2.keys.K1`. */
  readonly name: string;
  /** The declared meaning and the observed answer; null if they agree. */
  readonly fault: string | null;
  /** The rule that the deployment breaks where the profile is right; null where it may only be the profile. */
  readonly rule: string | null;
}

/** Requests the model list with each key of the profile and of its first tenant, which is free. */
export async function probeKeys(profile: Profile, client: Pick<WireClient, 'send'>): Promise<KeyProbe[]> {
  const tenant = profile.tenants[0];
  const declared = [
    ...named(profile.keys, 'keys'),
    ...(tenant === undefined ? [] : named(tenant.keys, `tenants.0.keys`)),
  ];
  return Promise.all(
    declared.map(async ([prefix, name, key]) => {
      const exchange = await client.send({
        method: 'GET',
        path: '/api/v1/models',
        headers: { authorization: `Bearer ${key}` },
        timeoutMs: Math.min(profile.timeouts.answer_ms, 15_000),
      });
      const fault = faultOf(name, exchange);
      const isAnswered = fault !== null && exchange.response !== null;
      return {
        name: `${prefix}.${name}`,
        fault,
        rule: isAnswered ? (refusedKeys[name]?.rule ?? null) : null,
      };
    }),
  );
}

function named(keys: Profile['keys'], prefix: string): [string, KeyName, string][] {
  return Object.entries(keys).flatMap(([name, key]) =>
    key === undefined ? [] : [[prefix, name as KeyName, key]],
  );
}

function faultOf(name: KeyName, exchange: Exchange): string | null {
  const { response, error } = exchange;
  if (response === null) return `no answer (${error})`;
  const code = errorCodeOf(exchange);
  const seen = `HTTP ${response.status}${typeof code === 'string' ? ` ${code}` : ''}`;
  const refusal = refusedKeys[name];
  if (refusal !== undefined)
    return code === refusal.code ? null : `it should be refused as ${refusal.code}; got ${seen}`;
  // Any other refusal is of the list, not of the key.
  return [401, 403].includes(response.status) ? `it should be accepted; got ${seen}` : null;
}
