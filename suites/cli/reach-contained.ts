import { dirname } from 'node:path';
import { redactorOf } from '../containers/container-words.ts';
import { originsOf, placed, portsIn } from '../containers/place-addresses.ts';
import { type StartedContainers, startContainers } from '../containers/start-containers.ts';
import { type StartedProcess, startProcess } from '../containers/start-process.ts';
import { exitCodes, UsageError } from '../process/exit-codes.ts';
import { soleContainer } from '../profile/container.ts';
import { type Contained, loadProfile, type Processed } from '../profile/load-profile.ts';
import type { Profile } from '../profile/profile.ts';
import { createRedactor } from '../wire/redactor.ts';
import { catchInterrupts } from './interrupt.ts';
import type { ReachedTarget } from './reached-target.ts';

export interface ContainedOptions {
  /** Changes of the profile by the options and the receiver. */
  readonly adapt: (
    profile: Profile,
  ) => Promise<{ readonly profile: Profile; readonly stop: () => Promise<void> }>;
  /** Ends the start. Without it an interrupt ends the process, once the containers are gone. */
  readonly signal?: AbortSignal;
  /** The key that replaces that of the profile. */
  readonly key?: string | undefined;
}

/**
 * Starts the containers or the process of a profile, and reads it with the addresses that it got.
 * @throws UsageError, UnreachableError or InterruptedError as `startContainers` and `startProcess` do
 */
export async function reachContained(
  path: string,
  contained: Contained | Processed,
  { adapt, signal, key }: ContainedOptions,
): Promise<ReachedTarget> {
  const interrupts = signal === undefined ? catchInterrupts() : null;
  const until = signal ?? interrupts?.signal ?? new AbortController().signal;
  const { started, profileOf } =
    'process' in contained
      ? await startedProcess(path, contained, until, key)
      : await startedContainers(path, contained, until, key);
  interrupts?.signal.addEventListener('abort', () => {
    void started.stop().finally(() => process.exit(exitCodes.interrupted));
  });
  try {
    const profile = await profileOf();
    await started.ready(profile.base_url);
    const adapted = await adapt(profile);
    const redact = createRedactor(profile);
    return {
      profile: adapted.profile,
      lastWords: async (lines) => (await started.lastWords(lines)).map(redact),
      stop: async () => {
        interrupts?.release();
        await adapted.stop();
        await started.stop();
      },
    };
  } catch (error) {
    await started.stop();
    throw error;
  }
}

interface Begun {
  readonly started: StartedProcess;
  readonly profileOf: () => Promise<Profile>;
}

async function startedProcess(
  path: string,
  { process: section, variables }: Processed,
  signal: AbortSignal,
  key: string | undefined,
): Promise<Begun> {
  const profile = loadProfile(path, process.env, { key });
  process.stderr.write(`Starting ${section.command[0]} …\n`);
  const started = await startProcess(section, {
    ...{ folder: dirname(path), baseUrl: profile.base_url, signal },
    redact: redactorOf(section, variables),
  });
  return { started, profileOf: () => Promise.resolve(profile) };
}

async function startedContainers(
  path: string,
  contained: Contained,
  signal: AbortSignal,
  key: string | undefined,
): Promise<Begun> {
  const { section, texts, variables } = contained;
  // A mistake anywhere in the file is reported before anything is started.
  if (section.profile === undefined) loadProfile(path, process.env, { key });
  const ports = section.image === undefined ? [] : portsOfSole(texts);
  process.stderr.write(`Starting ${section.image ?? section.compose} in containers …\n`);
  const started = await startContainers(section, {
    ...{ folder: dirname(path), ports, signal },
    redact: redactorOf(section, variables),
  });
  return { started, profileOf: () => profileOf(path, contained, started, key) };
}

function portsOfSole(texts: readonly string[]): number[] {
  const ports = portsIn(texts, soleContainer);
  if (ports.length > 0) return ports;
  throw new UsageError(
    `container.image: base_url has to name the port that the container listens on: http://${soleContainer}:8080`,
  );
}

async function profileOf(
  path: string,
  { section: { profile: place } }: Contained,
  { places, read }: StartedContainers,
  key: string | undefined,
): Promise<Profile> {
  const seen = { key, placed: (value: string) => placed(value, places) };
  const profile =
    place === undefined
      ? loadProfile(path, process.env, seen)
      : loadProfile(`${place.service}:${place.file}`, process.env, {
          ...seen,
          text: await read(place.service, place.file),
        });
  // Links of its answers name its own network.
  const origins = { ...originsOf(places), ...profile.media.origins };
  return { ...profile, media: { ...profile.media, origins } };
}
