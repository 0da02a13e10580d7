import type { Server } from 'node:http';
import type { DialectVersion } from './answers/native-answer.ts';
import { createControlServer } from './api/server.ts';
import { createClock, createTestClock } from './clock.ts';
import type { Scenario } from './control/scenario.ts';
import { listen } from './http/listen.ts';
import { loopbackAddress, type OwnAddress, originAt } from './http/own-address.ts';
import type { BrokenListenerKind } from './listeners/broken-listener.ts';
import { openBrokenListeners } from './listeners/open-broken-listeners.ts';
import { createProviderServer, createTlsProviderServer } from './serving/server.ts';
import { Tenants } from './state/tenants.ts';
import { createReceiver } from './webhooks/receiver.ts';

/** How a set of simulators is started. Port 0 takes a free one. */
export interface StartOptions {
  readonly port: number;
  readonly controlPort: number;
  readonly seed: number;
  /** The only version of their dialects that the upstreams play. Default: both, as requests ask. */
  readonly version?: DialectVersion | null;
  /** Where upstreams and control API can be reached; on loopback by default. */
  readonly address?: OwnAddress;
  /** Whether the control API may move the clock. */
  readonly testClock: boolean;
  /** The scenario of every tenant without one of its own. It starts with the tenant's first request. */
  readonly scenario?: Scenario | null;
  /** Whether to open addresses with a broken transport as well. Default false. */
  readonly brokenListeners?: boolean;
  /** The first of their ports, at `address`. Without it they have free ports of the loopback interface. */
  readonly doorPort?: number;
  /** Keys of the reference receiver of webhooks. Without keys, no receiver is started. */
  readonly receiverKeys?: readonly Uint8Array[];
  /** Its port at `address`, in clear. Without it the receiver has a free port of the loopback interface. */
  readonly receiverPort?: number;
  /** What the console's page has to send; without it there is no console. */
  readonly consoleToken?: string | null;
  /** Where the console reads deliveries of a gateway's events. */
  readonly eventsUrl?: string | null;
  /** Called with a defect of the simulators themselves. */
  readonly onDefect: (error: unknown) => void;
}

export interface RunningSimulators {
  readonly providerUrl: string;
  readonly controlUrl: string;
  /** Origins of the broken listeners; empty unless `brokenListeners` was set. */
  readonly brokenListeners: Readonly<Partial<Record<BrokenListenerKind, string>>>;
  /** The URL that webhooks can be sent to; null when no receiver was requested. */
  readonly receiverUrl: string | null;
  /** Aborts everything in flight and closes every port. */
  close(): Promise<void>;
}

/** Starts upstreams and control API; rejects when a port is not available. */
export async function startSimulators(options: StartOptions): Promise<RunningSimulators> {
  const { seed, version = null, onDefect, address = loopbackAddress } = options;
  const testClock = options.testClock ? createTestClock() : null;
  const realClock = createClock();
  const clock = testClock ?? realClock;
  const tenants = new Tenants({ seed, now: () => clock.now(), scenario: options.scenario ?? null });
  const upstreams = { tenants, clock, seed, version, onDefect };
  const { tls } = address;
  const provider = tls === null ? createProviderServer(upstreams) : createTlsProviderServer(upstreams, tls);
  const { consoleToken = null, eventsUrl = null } = options;
  const control = createControlServer({
    ...{ tenants, clock, testClock, realClock, seed, address, onDefect },
    ...{ consoleToken, eventsUrl },
  });
  const { receiverKeys: keys = [] } = options;
  const receiver = keys.length > 0 ? createReceiver({ keys, now: () => clock.now(), onDefect }) : null;
  const servers = [provider, control, ...(receiver === null ? [] : [receiver])];
  const providerPort = await listen(provider, options.port, address.host);
  try {
    const controlPort = await listen(control, options.controlPort, address.host);
    const receiverUrl =
      receiver === null ? null : await listenForEvents(receiver, address, options.receiverPort);
    const { doorPort: port } = options;
    const first = port === undefined ? undefined : { host: address.host, name: address.name, port };
    const listeners =
      options.brokenListeners === true ? await openBrokenListeners(upstreams, providerPort, first) : null;
    return {
      providerUrl: originAt(address, providerPort),
      controlUrl: originAt(address, controlPort),
      brokenListeners: listeners?.origins ?? {},
      receiverUrl,
      close: async () => {
        await Promise.all([listeners?.close(), closeAll(servers)]);
      },
    };
  } catch (error) {
    await closeAll(servers);
    throw error;
  }
}

/** @returns the URL of the receiver */
async function listenForEvents(
  receiver: Server,
  { host, name }: OwnAddress,
  port: number | undefined,
): Promise<string> {
  const at = port === undefined ? loopbackAddress : { ...loopbackAddress, host, name };
  return originAt(at, await listen(receiver, port ?? 0, at.host));
}

async function closeAll(servers: readonly Server[]): Promise<void> {
  await Promise.all(
    servers.map((server) => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    }),
  );
}
