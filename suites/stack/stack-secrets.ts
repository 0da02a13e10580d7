import { randomBytes } from 'node:crypto';
import type { KeyName, Keys } from '../profile/profile.ts';
import type { TenantSecrets } from './accounts.ts';
import { drawWebhookSecret } from './webhooks.ts';

/** The keys, tokens and secrets of a stack. */
export interface StackSecrets {
  readonly tenants: readonly TenantSecrets[];
  readonly pepper: string;
  readonly hookToken: string;
  readonly adminToken: string;
  readonly upstreamKey: string;
  /** The secret with which the kit's receiver verifies events. */
  readonly kitSecret: string;
}

const keyNames = [
  'K1',
  'K2',
  'K3',
  'K4',
  'K5',
  'disabled',
  'expired',
  'ip_restricted',
  'ip_allowed',
  'unexpired',
  'ip_first',
  'ip_last',
  'ip_before',
  'ip_after',
  'no_model',
  'no_credits',
  'no_quota',
  'fuse',
  'raised',
] as const satisfies KeyName[];

/**
 * Fresh random secrets for a stack of `tenants` tenants. The tenant `default` is for a client that does not name
 * one.
 */
export function drawSecrets(tenants: number): StackSecrets {
  const names = [
    'default',
    ...Array.from({ length: tenants }, (_, index) => `lane-${String(index + 1).padStart(2, '0')}`),
  ];
  return {
    tenants: names.map((name) => ({
      name,
      keys: Object.fromEntries(keyNames.map((key) => [key, drawKey()])) as Required<Keys>,
      webhookSecret: drawWebhookSecret(),
    })),
    pepper: randomBytes(32).toString('hex'),
    hookToken: `hook-${randomBytes(18).toString('base64url')}`,
    adminToken: `admin-${randomBytes(24).toString('base64url')}`,
    upstreamKey: `sk-up-${randomBytes(24).toString('base64url')}`,
    kitSecret: drawWebhookSecret(),
  };
}

function drawKey(): string {
  return `sk-app-${randomBytes(24).toString('base64url').replaceAll(/[-_]/g, 'x')}`;
}
