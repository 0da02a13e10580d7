import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StorePlace } from '../store/test-stores.ts';
import { adminToken } from '../test-gateway.ts';
import type { WebhookReceiver } from '../webhook-receiver.ts';
import type { AuditUpstreams } from './audit-upstreams.ts';
import { auditPrices } from './ways.ts';

/** An account with one user. */
export interface AuditAccount {
  readonly id: string;
  readonly user: string;
  readonly key: string;
  readonly cap: number;
  /** Basis points. */
  readonly markup: number;
}

export const auditAccounts: readonly AuditAccount[] = [
  { id: 'north', user: 'ann', key: 'sk-app-audit-of-crashes-1', cap: 3, markup: 0 },
  { id: 'south', user: 'ben', key: 'sk-app-audit-of-crashes-2', cap: 3, markup: 1000 },
];
/** Dollars. */
export const auditGrant = '1000000';
const webhookSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

export interface ConfigParts {
  readonly place: StorePlace;
  readonly directory: string;
  readonly upstreams: AuditUpstreams;
  readonly receiver: WebhookReceiver;
  /** Defaults to the accounts of the audit. */
  readonly accounts?: readonly AuditAccount[];
}

/** The configuration of the gateway process with this number. */
export function auditConfig(number: number, parts: ConfigParts): object {
  const { place, directory, upstreams, receiver, accounts = auditAccounts } = parts;
  const ca = join(directory, 'ca.pem');
  writeFileSync(ca, receiver.ca);
  return {
    listen: {},
    store: 'url' in place ? { url: place.url } : { data_dir: place.dataDir },
    key_pepper: 'a pepper for tests',
    admin: { token: adminToken },
    media: { dir: join(directory, 'media') },
    prices: auditPrices,
    tasks: { poll_ms: 20, poll_most_ms: 100, start_again_ms: 20 },
    webhooks: { ca, schedule_ms: [0, 50, 50, 50, 50, 50], retry_after_most_ms: 50 },
    accounts: accounts.map(({ id, user, key, cap, markup }) => ({
      id,
      prepaid: true,
      grants: [{ id: `start-${id}`, amount: auditGrant }],
      webhook_secret: webhookSecret,
      users: [{ id: user, cap }],
      apps: [{ id: `app-${id}`, markup_bp: markup }],
      keys: [{ id: `key-${id}`, user, app: `app-${id}`, secret: key }],
    })),
    channels: upstreams.channels(number),
    test: { allowed_hosts: [receiver.host], token: 'token' },
  };
}
