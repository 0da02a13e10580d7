import { describe, expect, it } from 'vitest';
import { facts } from '../engine/facts.ts';
import { missingFacts } from '../engine/has-fact.ts';
import { type Profile, profileSchema } from '../profile/profile.ts';
import { gatewayConfig, stackProfile } from './config.ts';
import { drawSecrets } from './stack-secrets.ts';
import { usualTimes } from './times.ts';

const addresses = {
  providerUrl: 'http://127.0.0.1:7000',
  controlUrl: 'http://127.0.0.1:7001',
  brokenListeners: { refused: 'http://127.0.0.1:7002' },
};
const shape = { times: usualTimes, clock: true, extensions: [] };
const secrets = drawSecrets(2);
const profile: Profile = profileSchema.parse(stackProfile(secrets, 'http://127.0.0.1:1', addresses, shape));
const config = gatewayConfig(secrets, {
  addresses,
  dataDir: '/d',
  keptClusters: null,
  port: 0,
  nowMs: 0,
  ...shape,
}) as {
  prices: unknown;
  channels: { models: object }[];
  accounts: { prepaid?: boolean; keys: { secret: string }[] }[];
};

it('each model that a channel has is priced, no two alike, and the profile declares the same prices', () => {
  const models = new Set(config.channels.flatMap((channel) => Object.keys(channel.models)));
  const prices = Object.entries(profile.pricing.models ?? {});
  expect(new Set(prices.map(([model]) => model))).toEqual(models);
  const inputs = prices.flatMap(([, price]) => ('input' in price ? [price.input] : []));
  expect(new Set(inputs).size).toBe(inputs.length);
  expect(config.prices).toEqual(profile.pricing.models);
});

it('every key of a tenant belongs to one account of the configuration, which is prepaid', () => {
  const configured = config.accounts.flatMap(({ keys }) => keys.map(({ secret }) => secret));
  const declared = [profile.keys, ...profile.tenants.map(({ keys }) => keys)].flatMap((keys) =>
    Object.values(keys),
  );
  expect(configured.toSorted()).toEqual(declared.toSorted());
  expect(config.accounts.every(({ prepaid }) => prepaid === true)).toBe(true);
});

it('the profile leaves nothing about money undeclared', () => {
  const needs = [
    'keys.K5',
    'keys.no_credits',
    'keys.no_quota',
    'keys.fuse',
    'keys.raised',
    'charges',
  ] as const;
  const more = ['hooks.balance', 'hooks.accounts', 'admin', 'pricing.models', 'pricing.markup'] as const;
  expect(missingFacts([...needs, ...more], profile)).toEqual([]);
});

describe('a stack with a receiver', () => {
  const receiver = {
    url: 'https://127.0.0.1:7010',
    canary_url: 'https://127.0.0.1:7011',
    untrusted_url: 'https://127.0.0.1:7012',
    control_url: 'http://127.0.0.1:7013',
    ca: '/ca.pem',
    cert: '/cert.pem',
    key: '/key.pem',
  };
  const events = {
    receiver,
    ca: '/all.pem',
    allowedHosts: ['hooks.test:1'],
    names: { 'hooks.test': ['::1'] },
  };
  const options = { dataDir: '/d', keptClusters: null, port: 0, nowMs: 0, ...shape };
  const config = gatewayConfig(secrets, { addresses: { ...addresses, events }, ...options }) as {
    webhooks: { ca: string };
    outbound: { ports: number[] };
    test: { allowed_hosts: string[]; resolver: object };
    accounts: { id: string; webhook_secret?: string }[];
    channels: { dialect: string; callbacks?: boolean }[];
  };
  const profile = profileSchema.parse(
    stackProfile(secrets, 'http://127.0.0.1:1', { ...addresses, events }, shape),
  );

  it('lets events go there and where it is declared to, and to the canary but for its address', () => {
    expect(config.test.allowed_hosts).toEqual(['127.0.0.1:7010', '127.0.0.1:7012', 'hooks.test:1']);
    expect(config.test.resolver).toMatchObject({ 'hooks.test': [['::1']] });
    for (const name of profile.webhooks.private_hosts) expect(config.test.resolver).toHaveProperty(name);
    expect(config.outbound.ports).toContain(7011);
    expect(config.webhooks.ca).toBe('/all.pem');
  });

  it('declares the secret of each tenant as the account of the tenant has it, and leaves nothing about events undeclared', () => {
    const declared = profile.tenants.map(({ name, webhook_secret: secret }) => [name, secret]);
    const main = ['default', profile.webhooks.secret];
    const known = config.accounts.filter((account) => account.webhook_secret !== undefined);
    expect(known.map(({ id, webhook_secret: secret }) => [id, secret])).toEqual([main, ...declared]);
    const all = facts.filter((fact) => fact.startsWith('webhooks.') && fact !== 'webhooks.kit');
    expect(missingFacts(all, profile)).toEqual([]);
  });

  it('asks each upstream to report that can', () => {
    const asked = config.channels.map(({ dialect, callbacks = false }) => [dialect, callbacks]);
    expect(new Set(asked.filter(([, on]) => on).map(([dialect]) => dialect))).toEqual(
      new Set(['callback-jobs']),
    );
    expect(asked.filter(([dialect, on]) => dialect === 'callback-jobs' && on !== true)).toEqual([]);
  });
});
