import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { makeFolder } from '../process/make-folder.ts';
import { type Profile, type ProfileInput, profileSchema } from '../profile/profile.ts';
import { gatewayConfig, type SimulatorAddresses, type StackShape, stackProfile } from './config.ts';
import { drawSecrets, type StackSecrets } from './stack-secrets.ts';
import { stackTimes, usualTimes } from './times.ts';
import { type RemoteReceiver, remoteEvents } from './webhooks.ts';

/** A deployment of the reference gateway that another tool starts, for example in containers or on several machines. */
export interface Deployment {
  /** Its URL, as callers and judges reach it. */
  readonly url: string;
  /** The port that each gateway listens on, on every address of its machine. */
  readonly port: number;
  /** The provider side of the simulators, as gateways reach it. */
  readonly providerUrl: string;
  /** Their control API, as the judge reaches it. */
  readonly controlUrl: string;
  /** One URL for the hooks of all gateways, as the judge reaches it; without it no clock can be moved. */
  readonly hooksUrl?: string;
  /** URLs of the simulators' broken listeners, by kind, as gateways reach them. */
  readonly brokenListeners?: Readonly<Record<string, string>>;
  /** Where events go; absent when none are received. */
  readonly events?: RemoteReceiver;
  /** A receiver that verifies events by the secret of `deployment.env`, as the judge reaches it. */
  readonly kitUrl?: string;
  readonly mediaDir: string;
  readonly tenants: number;
  /** How many gateways take calls in turns. */
  readonly processes: number;
}

/** The written files, with the environment variables that the processes need. */
export interface DeploymentFiles {
  readonly config: string;
  readonly target: string;
  readonly environment: string;
}

/** Short times, because the suites wait for them when no clock can be moved. */
const shortTimes = stackTimes({ timeoutMs: 3_000, coolDownMs: [2_000, 4_000] });

/**
 * Writes the configuration that all gateways of a deployment share (`gateway.json`), the matching profile (`target.yaml`),
 * and the variables of its processes (`deployment.env`). They have fresh secrets and mode 0600. Existing files are kept,
 * because a running deployment has their secrets.
 */
export function writeDeployment(folder: string, deployment: Deployment): DeploymentFiles {
  const files = {
    config: join(folder, 'gateway.json'),
    target: join(folder, 'target.yaml'),
    environment: join(folder, 'deployment.env'),
  };
  if (Object.values(files).every((path) => existsSync(path))) return files;
  makeFolder(folder);
  const secrets = drawSecrets(deployment.tenants);
  const write = (path: string, text: string): void => writeFileSync(path, text, { mode: 0o600 });
  const controlToken = `control-${randomBytes(24).toString('base64url')}`;
  const events = eventsOf(secrets, deployment, controlToken);
  write(files.config, JSON.stringify(configOf(secrets, deployment, events), null, 1));
  write(files.target, stringify(profileOf(secrets, deployment, controlToken, events)));
  write(
    files.environment,
    `GATECHECK_CONTROL_TOKEN=${controlToken}\nGATECHECK_RECEIVER_SECRET=${secrets.kitSecret}\n`,
  );
  return files;
}

function shapeOf({ hooksUrl }: Deployment): StackShape {
  const clock = hooksUrl !== undefined;
  return { times: clock ? usualTimes : shortTimes, clock, extensions: [] };
}

function addressesOf({ providerUrl, controlUrl, brokenListeners = {} }: Deployment): SimulatorAddresses {
  return { providerUrl, controlUrl, brokenListeners };
}

type Events = ReturnType<typeof remoteEvents> | null;

function eventsOf({ tenants }: StackSecrets, deployment: Deployment, token: string): Events {
  const [first] = tenants;
  if (deployment.events === undefined || first === undefined) return null;
  return remoteEvents(deployment.events, shapeOf(deployment).clock, { main: first.webhookSecret, token });
}

/** DATABASE_URL names the database, so that its password is in one place only. */
function configOf(secrets: StackSecrets, deployment: Deployment, events: Events): object {
  const {
    store: _,
    test,
    ...config
  } = gatewayConfig(secrets, {
    ...{ addresses: addressesOf(deployment), ...shapeOf(deployment) },
    ...{ dataDir: '', keptClusters: null, port: deployment.port, nowMs: Date.now() },
  }) as { readonly store: object; readonly test: object; readonly [member: string]: unknown };
  return {
    ...config,
    ...events?.gateway,
    test: { ...test, ...events?.test },
    listen: { host: '0.0.0.0', port: deployment.port, leave_ms: 5_000 },
    public_url: deployment.url,
    media: { dir: deployment.mediaDir },
  };
}

function profileOf(secrets: StackSecrets, deployment: Deployment, token: string, events: Events): Profile {
  const { hooksUrl, processes } = deployment;
  const profile = stackProfile(secrets, deployment.url, addressesOf(deployment), shapeOf(deployment), {
    ...(hooksUrl === undefined ? {} : { hooksUrl }),
    processes,
  });
  return profileSchema.parse({
    ...profile,
    name: 'deployment',
    keys: withoutAddresses(profile.keys),
    tenants: (profile.tenants ?? []).map((tenant, index) => ({
      ...tenant,
      keys: withoutAddresses(tenant.keys),
      ...(events === null ? {} : { webhook_secret: secrets.tenants[index + 1]?.webhookSecret }),
    })),
    webhooks: { ...events?.profile, ...kitOf(secrets, deployment) },
    upstream: { ...profile.upstream, control: deployment.controlUrl, token },
  } satisfies ProfileInput);
}

function kitOf({ kitSecret: secret }: StackSecrets, { kitUrl: url }: Deployment): object {
  return url === undefined ? {} : { kit: { url, secret } };
}

/** Keys whose allow-lists begin or end at the judge's own address, which is known only on loopback. */
const byAddress = ['ip_first', 'ip_last', 'ip_before', 'ip_after'];

function withoutAddresses<T extends object>(keys: T): T {
  return Object.fromEntries(Object.entries(keys).filter(([name]) => !byAddress.includes(name))) as T;
}

/**
 * A profile as YAML. Each tenant is one line of JSON, which is valid YAML. Writing 200 tenants in block style would take a
 * tenth of a stack's start time.
 */
export function profileText({ tenants, ...profile }: Profile): string {
  const lines = tenants.map((tenant) => `  - ${JSON.stringify(tenant)}\n`);
  return `${stringify(profile)}tenants:${lines.length === 0 ? ' []\n' : `\n${lines.join('')}`}`;
}
