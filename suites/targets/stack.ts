import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { type Child, startChild } from './child.ts';
import { type Profile, profileSchema } from './profile.ts';
import {
  drawSecrets,
  gatewayConfig,
  type SimulatorAddresses,
  type StackSecrets,
  stackProfile,
} from './stack-config.ts';

export interface StackOptions {
  readonly seed: number;
  /** Accounts that checks may have for themselves; 64 unless said otherwise. */
  readonly lanes?: number;
  readonly port?: number;
  /** Where the gateway keeps its data; a private directory, removed at the end, unless given. */
  readonly dataDir?: string;
  /** Where the profile is written; into the private directory unless given. */
  readonly profilePath?: string;
  /** Puts something between gateway and simulators: gets their address and returns the one the gateway is to use. */
  readonly between?: (providerUrl: string) => Promise<string>;
}

/** The reference stack, running. */
export interface Stack {
  readonly baseUrl: string;
  readonly profile: Profile;
  readonly profilePath: string;
  /** A further gateway on the same simulators and with the same keys, with flags for its Node process. */
  addGateway(name: string, nodeArgs: readonly string[], env: NodeJS.ProcessEnv): Promise<StackGateway>;
  /** Resolves when a process of the stack ends that nobody asked to. */
  readonly failed: Promise<string>;
  stop(): Promise<void>;
}

export interface StackGateway {
  readonly profile: Profile;
  stop(): Promise<void>;
}

/** Starts simulators and gateway as processes of their own and writes the profile that goes with them (mode 0600). */
export async function startStack(options: StackOptions): Promise<Stack> {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-'));
  const children: Child[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(children.map((child) => child.stop()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const simulators = await startChild({
      name: 'the simulators',
      args: [
        entry('simulators/main.ts'),
        '--seed',
        String(options.seed),
        '--test-clock',
        '--exit-with-stdin',
      ],
    });
    children.push(simulators);
    const own = {
      providerUrl: simulators.ready.provider_url ?? '',
      controlUrl: simulators.ready.control_url ?? '',
    };
    const addresses = { ...own, providerUrl: (await options.between?.(own.providerUrl)) ?? own.providerUrl };
    const secrets = drawSecrets(options.lanes ?? 64);
    const start = (name: string, more: GatewayStart): Promise<{ child: Child; profile: Profile }> =>
      startGateway(folder, name, secrets, addresses, more);
    const main = await start('gateway', {
      port: options.port ?? 0,
      dataDir: options.dataDir ?? join(folder, 'data'),
      nodeArgs: [],
      env: process.env,
    });
    children.push(main.child);
    const profilePath = options.profilePath ?? join(folder, 'target.yaml');
    writeFileSync(profilePath, stringify(main.profile), { mode: 0o600 });
    return {
      baseUrl: main.profile.base_url,
      profile: main.profile,
      profilePath,
      failed: Promise.race(
        [simulators, main.child].map((child, index) =>
          child.ended.then(
            (code) => `${index === 0 ? 'the simulators' : 'the gateway'} ended with code ${code}`,
          ),
        ),
      ),
      addGateway: async (name, nodeArgs, env) => {
        const added = await start(name, { port: 0, dataDir: join(folder, `${name}-data`), nodeArgs, env });
        children.push(added.child);
        return { profile: added.profile, stop: () => added.child.stop() };
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface GatewayStart {
  readonly port: number;
  readonly dataDir: string;
  readonly nodeArgs: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

async function startGateway(
  folder: string,
  name: string,
  secrets: StackSecrets,
  addresses: SimulatorAddresses,
  more: GatewayStart,
): Promise<{ child: Child; profile: Profile }> {
  mkdirSync(more.dataDir, { recursive: true, mode: 0o700 });
  const config = join(folder, `${name}.yaml`);
  const content = gatewayConfig(secrets, {
    providerUrl: addresses.providerUrl,
    dataDir: more.dataDir,
    port: more.port,
    nowMs: Date.now(),
  });
  writeFileSync(config, stringify(content, { aliasDuplicateObjects: false }), { mode: 0o600 });
  const child = await startChild({
    name: 'the gateway',
    args: [...more.nodeArgs, entry('gateway/main.ts'), '--config', config, '--exit-with-stdin'],
    env: more.env,
  });
  const profile = profileSchema.parse(stackProfile(secrets, child.ready.base_url ?? '', addresses));
  return { child, profile };
}

function entry(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}
