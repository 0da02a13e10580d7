import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { UsageError } from '../process/exit-codes.ts';
import type { ContainerSection } from '../profile/container.ts';
import type { Engine } from './engine.ts';

/** The containers to start, and the label that finds all of them. */
export interface Starting {
  readonly label: string;
  start(): Promise<unknown>;
}

/** Readiness is checked from outside, once for all containers. */
const atOnce = {
  waitUntilReady: () => Promise.resolve(),
  withStartupTimeout: () => atOnce,
  isStartupTimeoutSet: () => true,
  getStartupTimeout: () => 0,
};

/**
 * One container of an image.
 * @param folder where paths of the profile begin
 * @throws UsageError for a file that is not there
 */
export function imageToStart(
  { library }: Engine,
  section: ContainerSection & { readonly image: string },
  { ports, folder, id }: { readonly ports: readonly number[]; readonly folder: string; readonly id: string },
): Starting {
  const files = Object.entries(section.files).map(([target, source]) => ({
    source: existing(resolve(folder, source), 'container.files'),
    target,
  }));
  const container = new library.GenericContainer(section.image)
    .withAutoCleanup(false)
    .withLabels({ 'gatecheck.run': id })
    .withExposedPorts(...ports)
    .withEnvironment(section.environment)
    .withExtraHosts([{ host: 'host.docker.internal', ipAddress: 'host-gateway' }])
    .withCopyFilesToContainer(files)
    .withWaitStrategy(atOnce);
  if (section.command !== undefined) container.withCommand(section.command);
  return { label: `gatecheck.run=${id}`, start: () => container.start() };
}

/**
 * All services of a compose file.
 * @throws UsageError for a missing file, and without Compose
 */
export function composeToStart(
  { library }: Engine,
  section: ContainerSection & { readonly compose: string },
  { folder, id }: { readonly folder: string; readonly id: string },
): Starting {
  const path = existing(resolve(folder, section.compose), 'container.compose');
  const project = `gatecheck-${id}`;
  const environment = new library.DockerComposeEnvironment(dirname(path), basename(path))
    .withAutoCleanup(false)
    .withProjectName(project)
    .withEnvironment(section.environment)
    .withClientOptions(isComposeStandalone() ? { executable: { standalone: true } } : {})
    .withDefaultWaitStrategy(atOnce);
  return { label: `com.docker.compose.project=${project}`, start: () => environment.up() };
}

/** Compose is a plugin of the client, or a separate program. */
function isComposeStandalone(): boolean {
  const answers = (command: string, args: string[]): boolean => spawnSync(command, args).status === 0;
  if (answers('docker', ['compose', 'version'])) return false;
  if (answers('docker-compose', ['version'])) return true;
  throw new UsageError('container.compose: neither `docker compose` nor `docker-compose` is installed');
}

function existing(path: string, member: string): string {
  if (existsSync(path)) return path;
  throw new UsageError(`${member}: there is no file ${path}`);
}
