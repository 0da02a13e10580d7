import { cpSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InterruptedError } from '../process/exit-codes.ts';
import type { Profile } from '../profile/profile.ts';
import type { ReceiverReady } from '../receiver/protocol.ts';
import type { Child } from './child.ts';
import type { SimulatorAddresses } from './config.ts';
import { consoleInbox, serveConsoleEvents } from './console-events.ts';
import { type EventOptions, eventAddresses, startDependencies } from './dependencies.ts';
import { profileText } from './deployment-files.ts';
import { type Fleet, type FleetOptions, startFleet } from './fleet.ts';
import { assertInstalled } from './programs.ts';
import { drawSecrets, type StackSecrets } from './stack-secrets.ts';
import { type GatewayStart, type StackFacts, startGateway, textIn } from './start-gateway.ts';
import type { ReceiverChild } from './start-receiver.ts';
import { type StackTimes, usualTimes } from './times.ts';

export interface StackOptions extends EventOptions {
  readonly seed: number;
  /** How many accounts checks may use exclusively; default: 64. */
  readonly tenants?: number;
  readonly port?: number;
  /** Where the gateway keeps its data. The default is a private directory that is removed at the end. */
  readonly dataDir?: string;
  /** Where the profile is written. The default is the private directory. */
  readonly profilePath?: string;
  /** The gateway's upstream time limits and breaker settings, where they differ from the usual ones. */
  readonly times?: StackTimes;
  /** Extensions of the gateway beyond the specification; default: none. */
  readonly extensions?: readonly string[];
  /** Aborts the start at once. */
  readonly signal?: AbortSignal | undefined;
  /** False makes the clocks of gateway and simulators immovable. */
  readonly clock?: boolean;
  /** Whether the simulators serve their console, with the receiver's deliveries. */
  readonly ui?: boolean;
  /** Runs the gateway as several processes, or on a database server. */
  readonly fleet?: FleetOptions;
  /**
   * Keeps a copy of the first gateway's data for further gateways, because creating a database is the slowest
   * step.
   */
  readonly moreGateways?: boolean;
  /** Flags for the Node process of the gateway. */
  readonly nodeArgs?: readonly string[];
  /** Called with the log and output of gateways, as it arrives. */
  readonly onLog?: (text: string) => void;
  /**
   * Puts a proxy between gateway and simulators. It receives the URL of the simulators, and returns that of the proxy with
   * the tenants that use it.
   */
  readonly between?: (providerUrl: string) => Promise<UpstreamProxy>;
}

/** The URL of a proxy in front of the simulators, and the tenants that use it. */
export interface UpstreamProxy {
  readonly url: string;
  readonly isFor: (tenant: string) => boolean;
}

/** The reference stack, running. */
export interface Stack {
  readonly baseUrl: string;
  readonly profile: Profile;
  readonly profilePath: string;
  /** The URL of the console, and the webhook URL of the events that it shows; null without `ui`. */
  readonly console: ConsoleAddresses | null;
  /** The addresses of the receiver of events, and its certificate. */
  readonly receiver: ReceiverReady;
  /** Adds another gateway on the same simulators with the same keys. `nodeArgs` are flags for its Node process. */
  addGateway(name: string, nodeArgs: readonly string[], env: NodeJS.ProcessEnv): Promise<StackGateway>;
  /** The process of the gateway. */
  readonly gatewayPid: number;
  /** Resolves when a process of the stack ends unexpectedly. */
  readonly failed: Promise<string>;
  stop(): Promise<void>;
}

export interface StackGateway {
  readonly profile: Profile;
  stop(): Promise<void>;
}

/**
 * Starts receiver, simulators and gateway as separate processes, and writes the matching profile (mode 0600).
 * @throws InterruptedError when `signal` ended the start
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  assertInstalled();
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-'));
  const children: Pick<Child, 'stop'>[] = [];
  const secrets = drawSecrets(options.tenants ?? 64);
  const { signal } = options;
  const page = stackConsole(options.ui === true);
  const dependencies = startDependencies(
    folder,
    { ...options, ...page.options },
    secrets.kitSecret,
    (child) => children.push(child),
  );
  const stop = async (): Promise<void> => {
    // A child that is still starting would outlive the folder.
    await Promise.allSettled([dependencies]);
    await Promise.all(children.map((child) => child.stop()));
    await page.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const addresses = addressesOf(folder, options, dependencies);
    const facts = { secrets, addresses, shape: shapeOf(options), signal };
    const start: StartGateway = async (name, more) => {
      const started = await startEither(folder, name, facts, more, options.fleet);
      children.push(started);
      return started;
    };
    const dataDir = options.dataDir ?? join(folder, 'data');
    // It loads its code while the others start.
    const main = await start('gateway', mainGateway(options, dataDir));
    const { simulators, receiver } = await dependencies;
    const profilePath = options.profilePath ?? join(folder, 'target.yaml');
    writeFileSync(profilePath, profileText(main.profile), { mode: 0o600 });
    return {
      baseUrl: main.profile.base_url,
      profile: main.profile,
      profilePath,
      console: await page.connect({ simulators, receiver }, secrets),
      receiver: receiver.ready,
      gatewayPid: main.children[0]?.pid ?? 0,
      failed: firstToEnd([
        ['the simulators', simulators],
        ['the webhook receiver', receiver.child],
        ...main.children.map((child) => ['the gateway', child] as const),
      ]),
      addGateway: adding(folder, options, { start, dataDir }),
      stop,
    };
  } catch (error) {
    await stop();
    throw signal?.aborted ? new InterruptedError('interrupted while the stack started') : error;
  }
}

/** Starts another gateway of the stack, which ends with the stack. */
type StartGateway = (name: string, more: GatewayStart) => Promise<Fleet>;

function shapeOf({ times, clock, extensions }: StackOptions): StackFacts['shape'] {
  return { times: times ?? usualTimes, clock: clock ?? true, extensions: extensions ?? [] };
}

function mainGateway({ port, nodeArgs, onLog }: StackOptions, dataDir: string): GatewayStart {
  const log = onLog === undefined ? {} : { onLog };
  return { port: port ?? 0, dataDir, nodeArgs: nodeArgs ?? [], env: process.env, ...log };
}

/**
 * Returns the function that adds gateways. If further gateways start from a copy, it keeps the first gateway's data as it is
 * now.
 */
function adding(
  folder: string,
  { moreGateways, fleet, onLog }: StackOptions,
  { start, dataDir }: { readonly start: StartGateway; readonly dataDir: string },
): Stack['addGateway'] {
  const keptData = join(folder, 'kept-data');
  const copies = moreGateways === true && fleet === undefined;
  if (copies) copyData(dataDir, keptData);
  return async (name, nodeArgs, env) => {
    const ownData = join(folder, `${name}-data`);
    if (copies) copyData(keptData, ownData);
    const log = onLog === undefined ? {} : { onLog };
    const added = await start(name, { port: 0, dataDir: ownData, nodeArgs, env, ...log });
    return {
      profile: added.profile,
      stop: async () => {
        await added.stop();
        rmSync(ownData, { recursive: true, force: true });
      },
    };
  };
}

/** The URLs of the simulators and the receiver, once they have started. */
async function addressesOf(
  folder: string,
  options: StackOptions,
  dependencies: ReturnType<typeof startDependencies>,
): Promise<SimulatorAddresses> {
  const { simulators, receiver } = await dependencies;
  const own = {
    providerUrl: textIn(simulators.ready.provider_url),
    controlUrl: textIn(simulators.ready.control_url),
    brokenListeners: brokenListenersIn(simulators.ready.listeners),
  };
  const upstreamProxy = await options.between?.(own.providerUrl);
  const events = await eventAddresses(folder, options, receiver.ready, simulators.ready.receiver_url);
  return { ...own, events, ...(upstreamProxy === undefined ? {} : { upstreamProxy }) };
}

function firstToEnd(children: readonly (readonly [string, Child])[]): Promise<string> {
  return Promise.race(
    children.map(([name, { ended }]) => ended.then((code) => `${name} ended with code ${code}`)),
  );
}

async function startEither(
  folder: string,
  name: string,
  facts: StackFacts,
  more: GatewayStart,
  fleet: FleetOptions | undefined,
): Promise<Fleet> {
  if (fleet !== undefined) return startFleet(folder, name, facts, more, fleet);
  const { child, profile } = await startGateway(folder, name, facts, more);
  return { profile, children: [child], stop: () => child.stop() };
}

/**
 * Copies a data directory. An idle gateway has everything acknowledged on disk, as after a kill. Only its sockets cannot be
 * copied, and they are not needed.
 */
function copyData(from: string, to: string): void {
  cpSync(from, to, { recursive: true, filter: (path) => !statSync(path).isSocket() });
}

function brokenListenersIn(value: unknown): Record<string, string> {
  const entries = value !== null && typeof value === 'object' ? Object.entries(value) : [];
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** The URL of the console, and the webhook URL of the events that it shows. */
interface ConsoleAddresses {
  readonly url: string;
  readonly webhookUrl: string;
}

/** The console of a stack; without `ui` nothing is started. */
function stackConsole(ui: boolean) {
  const source = ui ? serveConsoleEvents() : null;
  return {
    /** The options for the simulators. */
    options: source === null ? {} : { eventsUrl: source.then(({ url }) => url) },
    connect: async (
      { simulators, receiver }: { readonly simulators: Child; readonly receiver: ReceiverChild },
      { tenants, kitSecret }: StackSecrets,
    ): Promise<ConsoleAddresses | null> => {
      if (source === null) return null;
      const { url, control_url: control } = receiver.ready;
      await (await source).connect(control, [
        ...tenants.map(({ webhookSecret }) => webhookSecret),
        kitSecret,
      ]);
      return { url: textIn(simulators.ready.console_url), webhookUrl: `${url}/${consoleInbox}` };
    },
    close: async (): Promise<void> => (await source)?.close(),
  };
}
