import { expect, it } from 'vitest';
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

it('prices each model of a channel differently, and declares the same prices in the profile', () => {
  const models = new Set(config.channels.flatMap((channel) => Object.keys(channel.models)));
  const prices = Object.entries(profile.pricing.models ?? {});
  expect(new Set(prices.map(([model]) => model))).toEqual(models);
  const inputs = prices.flatMap(([, price]) => ('input' in price ? [price.input] : []));
  expect(new Set(inputs).size).toBe(inputs.length);
  expect(config.prices).toEqual(profile.pricing.models);
});

it('assigns every key of a tenant to one prepaid account of the configuration', () => {
  const configured = config.accounts.flatMap(({ keys }) => keys.map(({ secret }) => secret));
  const declared = [profile.keys, ...profile.tenants.map(({ keys }) => keys)].flatMap((keys) =>
    Object.values(keys),
  );
  expect(configured.toSorted()).toEqual(declared.toSorted());
  expect(config.accounts.every(({ prepaid }) => prepaid === true)).toBe(true);
});
