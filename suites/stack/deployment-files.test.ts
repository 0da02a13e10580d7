import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loadProfile } from '../profile/load-profile.ts';
import { writeDeployment } from './deployment-files.ts';

const deployment = {
  url: 'http://balancer:8080',
  port: 8080,
  providerUrl: 'http://simulators:9400',
  controlUrl: 'http://simulators:9401',
  mediaDir: '/var/lib/gatecheck/media',
  tenants: 2,
  processes: 2,
};

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'gatecheck-deployment-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return join(made, 'deployment');
}

it('writes a configuration with a matching profile, readable only by this user', () => {
  const files = writeDeployment(folder(), deployment);
  const profile = loadProfile(files.target, {});
  const config = JSON.parse(readFileSync(files.config, 'utf8'));
  expect(profile).toMatchObject({
    base_url: deployment.url,
    upstream: { control: deployment.controlUrl, processes: 2 },
  });
  expect(profile.tenants).toHaveLength(2);
  const token = `GATECHECK_CONTROL_TOKEN=${profile.upstream?.token}`;
  expect(readFileSync(files.environment, 'utf8')).toMatch(
    new RegExp(`^${token}\nGATECHECK_RECEIVER_SECRET=whsec_[\\w+/=]+\n$`),
  );
  expect(config).toMatchObject({ listen: { host: '0.0.0.0', port: 8080 }, public_url: deployment.url });
  expect(config).not.toHaveProperty('store');
  expect(config.channels[0].base_url).toMatch(/^http:\/\/simulators:9400\//);
  expect(JSON.stringify(config)).toContain(profile.keys.K1);
  for (const path of Object.values(files)) expect(statSync(path).mode & 0o777).toBe(0o600);
});

it('declares no key whose allow-list depends on the judge’s unknown address', () => {
  const profile = loadProfile(writeDeployment(folder(), deployment).target, {});
  for (const keys of [profile.keys, ...profile.tenants.map((tenant) => tenant.keys)]) {
    expect(Object.keys(keys)).toContain('ip_allowed');
    expect(Object.keys(keys)).not.toContain('ip_first');
    expect(Object.keys(keys)).toContain('ip_restricted');
  }
});

it('keeps the files of a running deployment', () => {
  const out = folder();
  const { target } = writeDeployment(out, deployment);
  const before = readFileSync(target, 'utf8');
  writeDeployment(out, { ...deployment, port: 9090 });
  expect(readFileSync(target, 'utf8')).toBe(before);
});

it('names one URL for all hooks, broken listeners and a remote receiver, if given', () => {
  const { target, config, environment } = writeDeployment(folder(), {
    ...deployment,
    hooksUrl: 'http://hooks:9402',
    brokenListeners: { refused: 'http://simulators:9410' },
    events: { url: 'https://receiver:8443', controlUrl: 'http://receiver:9403', ca: '/deployment/ca.pem' },
    kitUrl: 'http://simulators:9420',
  });
  const profile = loadProfile(target, {});
  expect(profile.hooks.clock?.url).toBe('http://hooks:9402/hooks/clock');
  expect(profile.absent).not.toContain('hooks.clock');
  expect(Object.keys(profile.upstream?.broken_listeners ?? {})).toEqual(['refused']);
  expect(profile.webhooks.receiver).toEqual({
    control: 'http://receiver:9403',
    token: profile.upstream?.token,
  });
  expect(profile.webhooks.kit?.url).toBe('http://simulators:9420');
  expect(readFileSync(environment, 'utf8')).toContain(
    `GATECHECK_RECEIVER_SECRET=${profile.webhooks.kit?.secret}\n`,
  );
  const written = JSON.parse(readFileSync(config, 'utf8'));
  expect(written.test).toMatchObject({ clock: true, allowed_hosts: ['receiver:8443'] });
  expect(written.webhooks.ca).toBe('/deployment/ca.pem');
  const urls = written.channels.map((channel: { base_url: string }) => channel.base_url);
  expect(urls).toContain('http://simulators:9410/default/door-refused/v1');
  // Each account signs with its own secret.
  const secretOf = (id: string): string =>
    written.accounts.find((account: { id: string }) => account.id === id).webhook_secret;
  expect(profile.webhooks.secret).toBe(secretOf('default'));
  for (const { name, webhook_secret: secret } of profile.tenants) expect(secret).toBe(secretOf(name));
});
