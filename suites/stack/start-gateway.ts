import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keptFolder } from '../process/kept-folder.ts';
import { makeFolder } from '../process/make-folder.ts';
import { type Profile, profileSchema } from '../profile/profile.ts';
import { type Child, startChild } from './child.ts';
import { gatewayConfig, type SimulatorAddresses, type StackShape, stackProfile } from './config.ts';
import type { FleetPlace } from './fleet-place.ts';
import { programOf } from './programs.ts';
import type { StackSecrets } from './stack-secrets.ts';

/**
 * A V8 flag. Optimising the embedded database's WebAssembly takes longer than a short run, so only code that stays hot is
 * optimised.
 */
const lateOptimisation = '--wasm-tiering-budget=2000000000';

/** How one gateway is started. */
export interface GatewayStart {
  readonly port: number;
  readonly dataDir: string;
  readonly nodeArgs: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly onLog?: (text: string) => void;
  /** The database server of its processes; absent for an embedded database. */
  readonly fleet?: FleetPlace;
}

/** The facts that all gateways of a stack share. */
export interface StackFacts {
  readonly secrets: StackSecrets;
  /** The addresses of the processes that start beside the gateway. */
  readonly addresses: Promise<SimulatorAddresses>;
  readonly shape: StackShape;
  /** Aborts the start. */
  readonly signal?: AbortSignal | undefined;
}

/** Starts a gateway, and returns its profile. */
export async function startGateway(
  folder: string,
  name: string,
  { secrets, addresses, shape, signal }: StackFacts,
  more: GatewayStart,
): Promise<{ child: Child; profile: Profile }> {
  makeFolder(more.dataDir, 0o700);
  const config = join(folder, `${name}.json`);
  const { dataDir, port } = more;
  const writing = addresses.then((known) => {
    const content = gatewayConfig(secrets, {
      ...{ addresses: known, dataDir, port, nowMs: Date.now(), ...shape },
      keptClusters: keptFolder(),
      ...(more.fleet === undefined ? {} : { fleet: more.fleet }),
    });
    // JSON is written and read a hundred times faster than YAML.
    writeFileSync(config, JSON.stringify(content), { mode: 0o600 });
  });
  const child = await startChild({
    name: 'the gateway',
    args: [
      lateOptimisation,
      ...more.nodeArgs,
      programOf('gateway'),
      '--config',
      config,
      '--exit-with-stdin',
      '--begin-on-line',
    ],
    env: more.env,
    begins: writing,
    signal,
    ...(more.onLog === undefined ? {} : { onOutput: more.onLog }),
  });
  const baseUrl = textIn(child.ready.base_url);
  const profile = profileSchema.parse(
    stackProfile(secrets, baseUrl, await addresses, shape, {
      processes: more.fleet?.workers ?? 1,
    }),
  );
  return { child, profile };
}

/** A value of a ready line if it is a string, otherwise an empty string. */
export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
