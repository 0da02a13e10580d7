import type { KeyName, Keys } from '../profile/profile.ts';
import { catalogueChannels, nativeNames, plainModels } from './channels.ts';
import { mediaChannels } from './media.ts';
import { appMarkups } from './prices.ts';

/** A tenant and the secrets of all its keys. */
export interface TenantSecrets {
  readonly name: string;
  readonly keys: Required<Keys>;
  /** The secret that signs the events of the tenant's own account. */
  readonly webhookSecret: string;
}

export const catalogueModels: readonly string[] = Object.keys(nativeNames(catalogueChannels)).filter((id) =>
  plainModels.every((plain) => plain.id !== id),
);

/** The image, video and audio models. */
export const mediaModels: readonly string[] = Object.keys(nativeNames(mediaChannels));

/** The model that the account of `no_model` lacks. */
export const disabledModel = 'alpha-codex';

const usualCap = 3;
/** The cap of the user of `raised`. */
export const raisedCap = 5;

/** More than any run can spend, dollars. */
const plenty = '1000000';
/** Credit that a few calls use up, in dollars. */
const fuseCredit = '0.01';

/**
 * The addresses from which the suites, or a balancer in front of the gateway, may call: this machine, and container networks.
 */
const nearby = ['127.0.0.0/8', '::1/128', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'];

/** How long ago the expired key expired, ms: so recently that comparing only the year does not show it. */
const expiredForMs = 60_000;
/** How far ahead the other key expires, ms: beyond all the months by which checks move the clock. */
const expiresInMs = 50 * 365 * 24 * 3_600_000;

/**
 * The accounts of a tenant: its own, another one (K3), one that lacks a model, and three with little or no credit.
 * The tenant's own channels serve all of them. All are prepaid.
 */
export function accountsOf(tenant: TenantSecrets, nowMs: number): object[] {
  const { name } = tenant;
  const poor = { channels_of: name };
  return [
    ownAccount(tenant, nowMs),
    single(tenant, '-b', 'K3', {
      models: [...catalogueModels, ...mediaModels, ...plainModels.map(({ id }) => id)],
    }),
    single(tenant, '-c', 'no_model', {
      models: [...catalogueModels, ...mediaModels].filter((id) => id !== disabledModel),
    }),
    single(tenant, '-d', 'no_credits', { ...poor, grants: [] }),
    single(tenant, '-e', 'no_quota', { ...poor, monthly_tokens: 0 }),
    single(tenant, '-f', 'fuse', { ...poor, grants: [{ id: `${name}-f-fuse`, amount: fuseCredit }] }),
  ];
}

function ownAccount({ name, keys, webhookSecret }: TenantSecrets, nowMs: number): object {
  const [u1, u2, u3] = [`${name}-u1`, `${name}-u2`, `${name}-u3`];
  const [main, marked] = [`${name}-app`, `${name}-app-k5`];
  const key = (id: KeyName, user: string, more: object = {}): object => ({
    id: keyId(name, id),
    user,
    app: main,
    secret: keys[id],
    ...more,
  });
  return {
    id: name,
    models: 'all',
    ...prepaid(name),
    webhook_secret: webhookSecret,
    users: [
      { id: u1, cap: usualCap },
      { id: u2, cap: usualCap },
      { id: u3, cap: raisedCap },
    ],
    apps: [
      { id: main, ...appMarkups.K1 },
      { id: marked, ...appMarkups.K5 },
    ],
    keys: [
      key('K1', u1),
      key('K2', u1),
      key('K4', u2),
      key('K5', u1, { app: marked }),
      key('raised', u3),
      key('disabled', u1, { disabled: true }),
      key('expired', u1, { expires_at: new Date(nowMs - expiredForMs).toISOString() }),
      key('ip_restricted', u1, { allow: ['203.0.113.0/24', '2001:db8::/32'] }),
      key('ip_allowed', u1, { allow: ['203.0.113.0/24', ...nearby] }),
      key('unexpired', u1, { expires_at: new Date(nowMs + expiresInMs).toISOString() }),
      // The suites call the stack from 127.0.0.1.
      key('ip_first', u1, { allow: ['127.0.0.1/32'] }),
      key('ip_last', u1, { allow: ['127.0.0.0/31'] }),
      key('ip_before', u1, { allow: ['127.0.0.2/31'] }),
      key('ip_after', u1, { allow: ['127.0.0.0/32'] }),
    ],
  };
}

/** An account with one key. */
function single({ name, keys }: TenantSecrets, suffix: string, id: KeyName, more: object): object {
  const [user, app] = [`${name}${suffix}-u`, `${name}${suffix}-app`];
  return {
    id: name + suffix,
    ...prepaid(name + suffix),
    ...more,
    users: [{ id: user, cap: usualCap }],
    apps: [{ id: app, markup_bp: 0 }],
    keys: [{ id: keyId(name, id), user, app, secret: keys[id] }],
  };
}

function prepaid(account: string): object {
  return { prepaid: true, grants: [{ id: `${account}-plenty`, amount: plenty }] };
}

function keyId(tenant: string, key: KeyName): string {
  return `${tenant}-${key.replaceAll('_', '-')}`;
}
