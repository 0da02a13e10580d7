import { seededHex, seededId } from '../../random.ts';
import type { Identity } from '../identity.ts';

export function requestIdOf({ seed, tenant, channel, n }: Identity): string {
  return `req_01${seededId(22, 'request', seed, tenant, channel, n)}`;
}

/** Headers of every answer. They name only this upstream, so a gateway that leaks them is caught. */
export function commonHeaders(identity: Identity): Record<string, string> {
  return {
    'request-id': requestIdOf(identity),
    'anthropic-organization-id': uuidOf(seededHex(32, 'organization', identity.seed)),
    ...limitHeaders('requests', 4000, 3999, identity.nowMs),
    ...limitHeaders('input-tokens', 2_000_000, 1_998_000, identity.nowMs),
    ...limitHeaders('output-tokens', 400_000, 399_000, identity.nowMs),
    ...limitHeaders('tokens', 2_400_000, 2_397_000, identity.nowMs),
  };
}

/** Renders `nowMs` as the RFC 3339 time of the reset, in whole seconds. */
function limitHeaders(what: string, limit: number, remaining: number, nowMs: number): Record<string, string> {
  const name = `anthropic-ratelimit-${what}`;
  return {
    [`${name}-limit`]: String(limit),
    [`${name}-remaining`]: String(remaining),
    [`${name}-reset`]: new Date(nowMs + 1000).toISOString().replace(/\.\d+Z$/, 'Z'),
  };
}

function uuidOf(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
