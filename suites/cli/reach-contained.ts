import { dirname } from 'node:path';
import { redactorOf } from '../containers/container-words.ts';
import { originsOf, placed, portsIn } from '../containers/place-addresses.ts';
import { type StartedContainers, startContainers } from '../containers/start-containers.ts';
import { exitCodes, UsageError } from '../process/exit-codes.ts';
import { soleContainer } from '../profile/container.ts';
import { type Contained, loadProfile } from '../profile/load-profile.ts';
import type { Profile } from '../profile/profile.ts';
import { createRedactor } from '../wire/redactor.ts';
import { catchInterrupts } from './interrupt.ts';
import type { ReachedTarget } from './reached-target.ts';

export interface ContainedOptions {
  /** What the options and the receiver change of the profile. */
  readonly adapt: (
    profile: Profile,
  ) => Promise<{ readonly profile: Profile; readonly stop: () => Promise<void> }>;
  /** Ends the start. Without it an interrupt ends the process, once the containers are gone. */
  readonly signal?: AbortSignal;
}

/**
 * Starts the containers of a profile and reads it with the addresses that they got.
 * @throws UsageError, UnreachableError or InterruptedError as `startContainers` does
 */
export async function reachContained(
  path: string,
  contained: Contained,
  { adapt, signal }: ContainedOptions,
): Promise<ReachedTarget> {
  const { section, texts, variables } = contained;
  // A mistake anywhere in the file is told before anything is started.
  if (section.profile === undefined) loadProfile(path, process.env);
  const ports = section.image === undefined ? [] : portsOfSole(texts);
  const interrupts = signal === undefined ? catchInterrupts() : null;
  const until = signal ?? interrupts?.signal ?? new AbortController().signal;
  process.stderr.write(`Starting ${section.image ?? section.compose} in containers …\n`);
  const started = await startContainers(section, {
    folder: dirname(path),
    ports,
    redact: redactorOf(section, variables),
    signal: until,
  });
  interrupts?.signal.addEventListener('abort', () => {
    void started.stop().finally(() => process.exit(exitCodes.interrupted));
  });
  try {
    const profile = await profileOf(path, contained, started);
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
): Promise<Profile> {
  const seen = { placed: (value: string) => placed(value, places) };
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
