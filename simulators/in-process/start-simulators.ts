import { SimulatorControl } from '../control/client.ts';
import type { Scenario } from '../control/scenario.ts';
import { parseUpstream } from '../http/upstream.ts';
import { type Http2Address, openSimulators } from '../start.ts';
import type { FileScripts } from '../state/scripts.ts';
import { refuseVariants } from '../variants/known-variants.ts';
import { Upstream } from './upstream.ts';

export type { Reply, Scenario, Script } from '../control/client.ts';
export type { MatchInCode, ReplyInCode, SeenRequest, UnmetScripts, Upstream } from './upstream.ts';

/** How simulators are started in a process. Every member may be left out. */
export interface SimulatorOptions {
  /** Seeds everything that is generated. Default 1. */
  readonly seed?: number;
  /** The port of the providers on the loopback interface. Default: a free one. */
  readonly port?: number;
  /** Opens the control API for other processes at this port, 0 for a free one. Default: not at all. */
  readonly controlPort?: number;
  /** Opens the providers over HTTP/2 at this port, 0 for a free one. Default: not at all. */
  readonly http2Port?: number;
  /** Whether the clock may be moved. Default false. */
  readonly testClock?: boolean;
  /** Answers a call that nothing is scripted for with 501 and the nearest script. Default false. */
  readonly strict?: boolean;
  /** Refuses models beyond those of the simulators, as a provider does. Default false. */
  readonly strictModels?: boolean;
  /** The variants of dialects that the upstreams play, by name: `groq`. A tenant's settings may say others. */
  readonly variants?: readonly string[];
  /** Files or folders of scripts, which every tenant has. */
  readonly fixtures?: string | readonly string[];
  /** The base URL of a real provider, which answers what is not scripted: faults then change its answers. */
  readonly passTo?: string;
  /** How the upstreams of every tenant behave over time. */
  readonly scenario?: Scenario;
  /** Called with a defect of the simulators themselves. Default: it is thrown where nothing catches it. */
  readonly onDefect?: (error: unknown) => void;
}

/** Simulated providers in this process. `await using` closes them. */
export interface Simulators extends AsyncDisposable {
  /** Where the providers are. Tests use the URLs of a tenant. */
  readonly url: string;
  /** Where other processes reach the control API; null where it was not opened. */
  readonly controlUrl: string | null;
  /** The providers over HTTP/2, with the certificate that clients have to trust; null where they were not opened. */
  readonly http2: Http2Address | null;
  /** Everything that the control API can do. */
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

/** Loads what reads files when it is needed. */
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
