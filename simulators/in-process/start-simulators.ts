import { SimulatorControl } from '../control/client.ts';
import type { Scenario } from '../control/scenario.ts';
import { parseUpstream } from '../http/upstream.ts';
import { type Http2Address, openSimulators } from '../start.ts';
import type { FileScripts } from '../state/scripts.ts';
import { refuseVariants } from '../variants/known-variants.ts';
import { Upstream } from './upstream.ts';

export type { Reply, Scenario, Script } from '../control/client.ts';
export type { MatchInCode, ReplyInCode, SeenRequest, UnmetScripts, Upstream } from './upstream.ts';

/** Options for simulators in this process. All members are optional. */
export interface SimulatorOptions {
  /** Seeds everything that is generated. Default 1. */
  readonly seed?: number;
  /** The port of the providers on the loopback interface. Default: a free one. */
  readonly port?: number;
  /** The port of the control API for other processes, 0 for a free one. Default: closed. */
  readonly controlPort?: number;
  /** The port of the providers over HTTP/2, 0 for a free one. Default: closed. */
  readonly http2Port?: number;
  /** Whether the clock may be moved. Default false. */
  readonly testClock?: boolean;
  /** Answers a call without a script with a 501 that names the nearest script. Default false. */
  readonly strict?: boolean;
  /** Rejects models that the simulators do not list, as a provider does. Default false. */
  readonly strictModels?: boolean;
  /** The active variants of dialects, by name: `groq`. A tenant's settings may override them. */
  readonly variants?: readonly string[];
  /** Files or folders of scripts, which every tenant has. */
  readonly fixtures?: string | readonly string[];
  /** The base URL of a real provider that answers unscripted calls. Faults then change its answers. */
  readonly passTo?: string;
  /** How the upstreams of every tenant behave over time. */
  readonly scenario?: Scenario;
  /** Called with an internal error of the simulators. Default: the error is thrown as an uncaught exception. */
  readonly onDefect?: (error: unknown) => void;
}

/** Simulated providers in this process. `await using` closes them. */
export interface Simulators extends AsyncDisposable {
  /** The base URL of the providers. Tests use the URLs of a tenant. */
  readonly url: string;
  /** The URL of the control API for other processes; null if it is closed. */
  readonly controlUrl: string | null;
  /** The URL of the providers over HTTP/2, and the certificate that clients must trust. Null if closed. */
  readonly http2: Http2Address | null;
  /** The client for everything that the control API offers. */
  readonly control: SimulatorControl;
  /** A tenant: upstreams that no other tenant sees. Without a name, a new one. */
  tenant(name?: string): Upstream;
  /** Lets the process end although the ports are open. */
  unref(): void;
  /** Aborts everything in flight and closes every port. */
  close(): Promise<void>;
}

/** Starts simulated providers. @throws Error when a port is taken, a file of scripts is invalid, or a variant is unknown. */
export async function startSimulators(options: SimulatorOptions = {}): Promise<Simulators> {
  const {
    strict = false,
    strictModels = false,
    variants = [],
    controlPort = null,
    fixtures,
    passTo,
    ...rest
  } = options;
  const provider = passTo === undefined ? null : parseUpstream(passTo);
  const refusal = refuseVariants(variants);
  if (refusal !== null) throw new RangeError(refusal);
  const onDefect = options.onDefect ?? throwLater;
  const files = fixtures === undefined ? null : await filesAt(fixtures, onDefect);
  const opened = await openSimulators({
    ...{ ...rest, provider, controlPort, onDefect, settings: { strict, strictModels, variants } },
    ...(files === null ? {} : { files }),
  });
  const { providerUrl: url, controlUrl, http2 } = opened;
  const control = new SimulatorControl(opened.control);
  let unnamed = 0;
  const close = async (): Promise<void> => {
    files?.close();
    await opened.close();
  };
  return {
    ...{ url, controlUrl, http2, control, close, unref: opened.unref },
    tenant: (name) => {
      unnamed += name === undefined ? 1 : 0;
      return new Upstream(url, control.tenant(name ?? `test-${unnamed}`), opened);
    },
    [Symbol.asyncDispose]: close,
  };
}

/** Loads the file readers on demand. */
async function filesAt(
  fixtures: string | readonly string[],
  onDefect: (error: unknown) => void,
): Promise<FileScripts & { close(): void }> {
  const { watchScripts } = await import('../files/watch-scripts.ts');
  return watchScripts(typeof fixtures === 'string' ? [fixtures] : fixtures, onDefect);
}

function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
