import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { InterruptedError, UnreachableError, UsageError } from '../process/exit-codes.ts';
import { type ContainerSection, soleContainer } from '../profile/container.ts';
import type { Redact } from '../wire/redactor.ts';
import { readyInTime } from './await-ready.ts';
import { type ContainerGroup, groupOf, type Member } from './container-group.ts';
import { lastWords } from './container-words.ts';
import { type Engine, openEngine } from './engine.ts';
import type { Places } from './place-addresses.ts';
import { composeToStart, imageToStart, type Starting } from './to-start.ts';

/** Running containers, which `stop` removes. */
export interface StartedContainers {
  readonly places: Places;
  /**
   * Reads a file of a running service.
   * @throws UsageError where it cannot be read
   */
  read(service: string, file: string): Promise<string>;
  /** Waits until the deployment at this address may be judged. */
  ready(baseUrl: string): Promise<void>;
  /** The last lines that each container wrote. */
  lastWords(lines: number): Promise<string[]>;
  stop(): Promise<void>;
}

export interface StartOptions {
  /** Where paths of the profile begin. */
  readonly folder: string;
  /** Ports of the single container in the profile. */
  readonly ports: readonly number[];
  readonly redact: Redact;
  readonly signal: AbortSignal;
}

/** How often to look whether a container has ended, and how many of its last lines an error shows. */
const lookEachMs = 250;
const linesInErrors = 15;

/**
 * Starts the containers of the section. After any failure it removes them all.
 * @throws UsageError, UnreachableError or InterruptedError, with the last lines of the containers if they show the reason
 */
export async function startContainers(
  section: ContainerSection,
  options: StartOptions,
): Promise<StartedContainers> {
  const engine = await openEngine();
  const starting = toStart(engine, section, { ...options, id: randomBytes(6).toString('hex') });
  const group = groupOf(engine, starting.label);
  const started = starting.start();
  const settled = started.then(
    () => undefined,
    () => undefined,
  );
  const stop = (): Promise<void> => removeAll(group, settled);
  const guarded = <T>(work: (until: AbortSignal) => Promise<T>): Promise<T> =>
    untilEnd(group, work, { ...options, mayEnd: section.image === undefined }).catch(
      async (error: unknown) => {
        await stop();
        throw error;
      },
    );
  await guarded(() => started.catch((error: unknown) => startFailure(section, group, error, options)));
  const members = await group.members();
  return {
    places: placesOf(members, section, engine.client.info.containerRuntime.host),
    read: (service, file) => guarded(() => readFrom(engine, members, service, file)),
    ready: (baseUrl) =>
      guarded((until) =>
        readyInTime(baseUrl, section.ready, {
          signal: until,
          lastWords: () => lastWords(group, linesInErrors, options.redact),
        }),
      ),
    lastWords: (lines) => lastWords(group, lines, options.redact),
    stop,
  };
}

function toStart(
  engine: Engine,
  section: ContainerSection,
  where: StartOptions & { readonly id: string },
): Starting {
  const { image, compose = '' } = section;
  return image === undefined
    ? composeToStart(engine, { ...section, compose }, where)
    : imageToStart(engine, { ...section, image }, where);
}

/** Removes repeatedly, because a start in progress may recreate what was just removed. */
async function removeAll(group: ContainerGroup, settled: Promise<void>): Promise<void> {
  let isSettled = false;
  void settled.then(() => {
    isSettled = true;
  });
  do {
    await group.remove();
    await Promise.race([settled, wait(lookEachMs)]);
  } while (!isSettled);
  await group.remove();
}

/** The result of the work, unless a container ends too early or the user interrupts. */
async function untilEnd<T>(
  group: ContainerGroup,
  work: (until: AbortSignal) => Promise<T>,
  { signal, redact, mayEnd }: StartOptions & { readonly mayEnd: boolean },
): Promise<T> {
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  const look = async (): Promise<never> => {
    for (;;) {
      if (signal.aborted) throw interrupted();
      until.throwIfAborted();
      const ended = (await group.members().catch(() => [])).find((one) => hasFailed(one, mayEnd));
      if (ended !== undefined) {
        const words = await lastWords(only(group, ended), linesInErrors, redact);
        throw new UnreachableError(`a container ended before it could be judged\n${words.join('\n')}`);
      }
      await wait(lookEachMs, undefined, { signal: until }).catch(() => undefined);
    }
  };
  const looking = look();
  const working = work(until);
  // A later rejection of the loser is ignored.
  for (const one of [looking, working]) one.catch(() => undefined);
  try {
    return await Promise.race([working, looking]);
  } finally {
    over.abort();
  }
}

function interrupted(): InterruptedError {
  return new InterruptedError('interrupted; its containers are removed');
}

/** A preparing service of a compose file may end; any other container should not. */
function hasFailed({ state, status }: Member, mayEnd: boolean): boolean {
  const isOver = state === 'exited' || state === 'dead';
  return isOver && !(mayEnd && status.startsWith('Exited (0)'));
}

function only(group: ContainerGroup, member: Member): ContainerGroup {
  return { ...group, members: () => Promise.resolve([member]) };
}

/** The engine's error text. Compose prints many lines, of which the last ones matter. */
async function startFailure(
  { image, compose }: ContainerSection,
  group: ContainerGroup,
  error: unknown,
  { redact, signal }: StartOptions,
): Promise<never> {
  if (signal.aborted) throw interrupted();
  const said = redact(error instanceof Error ? error.message : String(error)).trim();
  const words = await lastWords(group, linesInErrors, redact);
  const lines = said.split('\n').slice(-linesInErrors).concat(words).join('\n');
  if (
    image !== undefined &&
    /no such image|pull access|not found|manifest unknown|lookup |dial tcp/i.test(said)
  )
    throw new UsageError(`container.image ${image} is not on this machine, and cannot be fetched: ${lines}`);
  throw new UsageError(`${image ?? compose} cannot be started: ${lines}`);
}

function placesOf(members: readonly Member[], { image }: ContainerSection, host: string): Places {
  const places = new Map<string, ReadonlyMap<number, string>>();
  for (const { service, ports } of members) {
    const name = image === undefined ? service : soleContainer;
    const reached = [...ports].map(([inside, { address, port }]): [number, string] => [
      inside,
      `${address.startsWith('127.') ? address : host}:${port}`,
    ]);
    // Of several containers of one service, the first.
    if (!places.has(name)) places.set(name, new Map(reached));
  }
  return places;
}

async function readFrom(
  { client }: Engine,
  members: readonly Member[],
  service: string,
  file: string,
): Promise<string> {
  const member = members.find((one) => one.service === service && one.state === 'running');
  if (member === undefined) {
    const names = [...new Set(members.map((one) => one.service))].join(', ');
    throw new UsageError(`container.profile.service: no ${service} runs; there are ${names}`);
  }
  const { stdout, stderr, exitCode } = await client.container.exec(client.container.getById(member.id), [
    'cat',
    file,
  ]);
  if (exitCode === 0) return stdout;
  throw new UsageError(`container.profile.file: ${service} cannot read ${file}: ${stderr.trim()}`);
}
