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

/** A deployment of the reference gateway that another tool starts: in containers, say, or on several machines. */
export interface Deployment {
  /** Its address, as callers and judges reach it. */
  readonly url: string;
  /** The port that each gateway listens on, on every address of its machine. */
  readonly port: number;
  /** The simulators, as gateways reach them. */
  readonly providerUrl: string;
  /** Their control API, as the judge reaches it. */
  readonly controlUrl: string;
  /** One address for the hooks of all gateways, as the judge reaches it; without it no clock can be moved. */
  readonly hooksUrl?: string;
  /** Addresses of the simulators with a broken transport, by kind, as gateways reach them. */
  readonly doors?: Readonly<Record<string, string>>;
  /** Where events go; without it none are received. */
  readonly events?: RemoteReceiver;
  /** A receiver that verifies events by the secret of `deployment.env`, as the judge reaches it. */
  readonly kitUrl?: string;
  readonly mediaDir: string;
  readonly tenants: number;
  /** How many gateways take calls in turns. */
  readonly processes: number;
}

/** What was written, and what the processes need in their environment beside it. */
export interface DeploymentFiles {
  readonly config: string;
  readonly target: string;
  readonly environment: string;
}

/** Where no clock can be moved the suites wait for these, so they are short. */
const shortTimes = stackTimes({ timeoutMs: 3_000, coolDownMs: [2_000, 4_000] });

/**
 * Writes the configuration that all gateways of a deployment share (`gateway.json`), the profile that fits it
 * (`target.yaml`), and the variables of its processes (`deployment.env`), all with fresh secrets and mode 0600. Files that are
 * there already are kept as they are: a deployment that runs has their secrets.
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

function addressesOf({ providerUrl, controlUrl, doors = {} }: Deployment): SimulatorAddresses {
  return { providerUrl, controlUrl, brokenListeners: doors };
}

type Events = ReturnType<typeof remoteEvents> | null;

function eventsOf({ tenants }: StackSecrets, deployment: Deployment, token: string): Events {
  const [first] = tenants;
  if (deployment.events === undefined || first === undefined) return null;
  return remoteEvents(deployment.events, shapeOf(deployment).clock, { main: first.webhookSecret, token });
}

/** The database is named by DATABASE_URL, so that its password stands in one place. */
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

/** Keys whose allow-lists begin or end at the judge's own address, which is known of this machine on loopback alone. */
const byAddress = ['ip_first', 'ip_last', 'ip_before', 'ip_after'];

function withoutAddresses<T extends object>(keys: T): T {
  return Object.fromEntries(Object.entries(keys).filter(([name]) => !byAddress.includes(name))) as T;
}

/**
 * A profile as YAML. Each tenant is a line of JSON, which is YAML too: to write two hundred of them in other form takes a
 * tenth of the time in which a stack starts.
 */
export function profileText({ tenants, ...profile }: Profile): string {
  const lines = tenants.map((tenant) => `  - ${JSON.stringify(tenant)}\n`);
  return `${stringify(profile)}tenants:${lines.length === 0 ? ' []\n' : `\n${lines.join('')}`}`;
}
