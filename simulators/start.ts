import type { Server } from 'node:net';
import type { DialectVersion } from './answers/native-answer.ts';
import type { ControlContext } from './api/route.ts';
import { controlApi, createControlServer } from './api/server.ts';
import { createClock, createTestClock } from './clock.ts';
import type { ControlTransport } from './control/client.ts';
import type { Scenario } from './control/scenario.ts';
import { closerOf, listen } from './http/listen.ts';
import { loopbackAddress, type OwnAddress, originAt } from './http/own-address.ts';
import type { Upstream } from './http/upstream.ts';
import type { BrokenListenerKind } from './listeners/broken-listener.ts';
import { createProviderServer, createTlsProviderServer, type ProviderContext } from './serving/server.ts';
import type { FileScripts } from './state/scripts.ts';
import type { TenantSettings } from './state/tenant.ts';
import { Tenants } from './state/tenants.ts';

/** Options for a set of simulators. Port 0, the default, selects a free one. */
export interface OpenOptions {
  readonly port?: number;
  /** The port of the control API; null opens none. */
  readonly controlPort?: number | null;
  readonly seed?: number;
  /** The only dialect version that the upstreams simulate. Default: both, as requests name them. */
  readonly version?: DialectVersion | null;
  /** The address of upstreams and control API. Default: loopback. */
  readonly address?: OwnAddress;
  /** Whether the clock may be moved. Default false. */
  readonly testClock?: boolean;
  /** The scenario of every tenant without one of its own. It starts with the tenant's first request. */
  readonly scenario?: Scenario | null;
  /** The scripts of files, which every tenant has. */
  readonly files?: FileScripts;
  /** How every tenant treats unscripted requests, and which variants apply. */
  readonly settings?: Partial<TenantSettings>;
  /** The real provider that answers unscripted calls. Without it, everything is simulated. */
  readonly provider?: Upstream | null;
  /** A port of `address` for the upstreams over HTTP/2, 0 for a free one. Without it, HTTP/2 is off. */
  readonly http2Port?: number;
  /** Whether to open broken listeners. Default false. */
  readonly brokenListeners?: boolean;
  /** The first port of the broken listeners, at `address`. Without it, they use free ports of the loopback interface. */
  readonly listenerPort?: number;
  /** Keys of the reference receiver of webhooks. Without keys, no receiver is started. */
  readonly receiverKeys?: readonly Uint8Array[];
  /** The receiver's port at `address`, without TLS. Without it, the receiver uses a free port of the loopback interface. */
  readonly receiverPort?: number;
  /** The token that the console's page must send. Without it, there is no console. */
  readonly consoleToken?: string | null;
  /** The URL from which the console reads deliveries of a gateway's events. */
  readonly eventsUrl?: string | null;
  /** Called with an internal error of the simulators. */
  readonly onDefect: (error: unknown) => void;
}

export interface OpenSimulators {
  readonly providerUrl: string;
  readonly controlUrl: string | null;
  /** The upstreams over HTTP/2; null when no port for them was requested. */
  readonly http2: Http2Address | null;
  /** Origins of the broken listeners; empty unless `brokenListeners` was set. */
  readonly brokenListeners: Readonly<Partial<Record<BrokenListenerKind, string>>>;
  /** The URL that receives webhooks; null without a receiver. */
  readonly receiverUrl: string | null;
  readonly tenants: Tenants;
  /** The time of the simulators' clock, ms. */
  now(): number;
  /** The control API without a socket. */
  readonly control: ControlTransport;
  /** Lets the process end although the ports are open. */
  unref(): void;
  /** Aborts everything in flight and closes every port. */
  close(): Promise<void>;
}

/** A URL over HTTP/2, and the certificate (PEM) that its clients must trust. */
export interface Http2Address {
  readonly url: string;
  readonly certificate: string;
}

/** Opens upstreams and control API; rejects when a port is not available. */
export async function openSimulators(options: OpenOptions): Promise<OpenSimulators> {
  const {
    seed = 1,
    version = null,
    onDefect,
    address = loopbackAddress,
    port = 0,
    controlPort = 0,
    provider = null,
  } = options;
  const testClock = options.testClock === true ? createTestClock() : null;
  const realClock = createClock();
  const clock = testClock ?? realClock;
  const { scenario = null, files, settings, consoleToken = null, eventsUrl = null } = options;
  const tenants = new Tenants({
    ...{ seed, now: () => clock.now(), scenario },
    ...(files === undefined ? {} : { files }),
    ...(settings === undefined ? {} : { settings }),
  });
  const upstreams = { tenants, clock, seed, version, provider, onDefect };
  const { tls } = address;
  const servers: Server[] = [];
  const closers: (() => Promise<void>)[] = [];
  const opened = async (server: Server, at: number, host = address.host): Promise<number> => {
    const close = closerOf(server);
    const port = await listen(server, at, host);
    servers.push(server);
    closers.push(close);
    return port;
  };
  const closeAll = async (): Promise<void> => void (await Promise.all(closers.map((close) => close())));
  try {
    const provider = tls === null ? createProviderServer(upstreams) : createTlsProviderServer(upstreams, tls);
    const providerPort = await opened(provider, port);
    const providerUrl = originAt(address, providerPort);
    const context = {
      ...{ tenants, clock, testClock, realClock, seed, address, onDefect, consoleToken, eventsUrl },
      providerUrl,
    };
    const controlUrl =
      controlPort === null
        ? null
        : originAt(address, await opened(createControlServer(context), controlPort));
    const receiverUrl = await openReceiver(options, address, () => clock.now(), opened);
    const http2 = await openHttp2(options, address, upstreams, opened);
    const listeners = await openListeners(options, address, upstreams, providerPort);
    return {
      ...{ providerUrl, controlUrl, receiverUrl, http2, tenants },
      now: () => clock.now(),
      brokenListeners: listeners?.origins ?? {},
      control: transportTo(context),
      unref: () => {
        // Connections that a client keeps open would hold the process as well.
        for (const server of servers) server.unref().on('connection', (socket) => void socket.unref());
      },
      close: async () => {
        await Promise.all([listeners?.close(), closeAll()]);
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

async function openHttp2(
  { http2Port }: OpenOptions,
  address: OwnAddress,
  upstreams: ProviderContext,
  opened: (server: Server, at: number) => Promise<number>,
): Promise<Http2Address | null> {
  if (http2Port === undefined) return null;
  const { createHttp2ProviderServer } = await import('./serving/http2-server.ts');
  const { certificateWith } = await import('./listeners/certificate.ts');
  const tls = address.tls ?? certificateWith('self-signed');
  const port = await opened(createHttp2ProviderServer(upstreams, tls), http2Port);
  return { url: `https://${address.name}:${port}`, certificate: tls.cert };
}

/** @returns the URL of the receiver; null without keys */
async function openReceiver(
  { receiverKeys: keys = [], receiverPort, onDefect }: OpenOptions,
  { host, name }: OwnAddress,
  now: () => number,
  opened: (server: Server, at: number, host: string) => Promise<number>,
): Promise<string | null> {
  if (keys.length === 0) return null;
  const { createReceiver } = await import('./webhooks/receiver.ts');
  const at = receiverPort === undefined ? loopbackAddress : { ...loopbackAddress, host, name };
  return originAt(at, await opened(createReceiver({ keys, now, onDefect }), receiverPort ?? 0, at.host));
}

async function openListeners(
  { brokenListeners, listenerPort: port }: OpenOptions,
  { host, name }: OwnAddress,
  upstreams: ProviderContext,
  providerPort: number,
) {
  if (brokenListeners !== true) return null;
  const { openBrokenListeners } = await import('./listeners/open-broken-listeners.ts');
  return openBrokenListeners(upstreams, providerPort, port === undefined ? undefined : { host, name, port });
}

/** Calls of the control API that never leave the process. */
function transportTo(context: ControlContext): ControlTransport {
  const answer = controlApi({ ...context, address: loopbackAddress });
  const never = new AbortController().signal;
  return {
    call: async (method, path, body, { signal }) => {
      const call = { method, target: path, headers: {}, body: body ?? '', signal: signal ?? never };
      const answered = await answer(call);
      signal?.throwIfAborted();
      const { status } = answered;
      return { status, text: answered instanceof Response ? await answered.text() : answered.json };
    },
    close: async () => {},
  };
}
