import { type ExitCode, UsageError } from '../process/exit-codes.ts';
import { type Child, StartError, startChild } from '../stack/child.ts';
import { programOf } from '../stack/programs.ts';
import { catchInterrupts } from './interrupt.ts';
import { runUntilTold } from './run-until-told.ts';

export interface SimulateOptions {
  readonly port: number;
  readonly controlPort: number;
  readonly listenerPort?: number;
  readonly http2Port?: number;
  readonly receiverPort?: number;
  readonly seed: number;
  readonly testClock: boolean;
  readonly play?: string;
  readonly variant?: readonly string[];
  readonly fixtures?: readonly string[];
  /** The base URL of a real provider. */
  readonly passTo?: string;
  readonly strict: boolean;
  readonly strictModels: boolean;
  /** Whether to serve the console. */
  readonly ui: boolean;
  readonly host?: string;
  readonly name?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
}

/**
 * `gatecheck simulate`: only the simulated upstreams, in the foreground. It prints one JSON line with their addresses on
 * stdout once they are ready. The simulators themselves report an unusable scenario or port.
 */
export async function simulateCommand(
  scenario: string | undefined,
  options: SimulateOptions,
): Promise<ExitCode> {
  const interrupts = catchInterrupts();
  try {
    const child = await start(argumentsOf(scenario, options));
    process.stdout.write(`${JSON.stringify(child.ready)}\n`);
    return await runUntilTold(child, interrupts.signal, 'the simulators ended by themselves');
  } finally {
    interrupts.release();
  }
}

/** Starts the simulators. Every failed start is a usage error: a flag, the scenario, or a port in use. */
async function start(args: readonly string[]): Promise<Child> {
  try {
    return await startChild({ name: 'the simulators', args });
  } catch (error) {
    throw error instanceof StartError ? new UsageError(error.message) : error;
  }
}

function argumentsOf(scenario: string | undefined, options: SimulateOptions): string[] {
  const { host, name, play, tlsCert, tlsKey, listenerPort } = options;
  const given = Object.entries({
    ...{ host, name, play, 'tls-cert': tlsCert, 'tls-key': tlsKey },
    'pass-to': options.passTo,
    'listener-port': listenerPort?.toString(),
    'http2-port': options.http2Port?.toString(),
    'receiver-port': options.receiverPort?.toString(),
  });
  return [
    programOf('simulators'),
    `--port=${options.port}`,
    `--control-port=${options.controlPort}`,
    `--seed=${options.seed}`,
    ...given.flatMap(([flag, value]) => (value === undefined ? [] : [`--${flag}=${value}`])),
    ...(options.testClock ? ['--test-clock'] : []),
    ...(options.ui ? ['--ui'] : []),
    ...(options.strict ? ['--strict'] : []),
    ...(options.strictModels ? ['--strict-models'] : []),
    ...(options.variant ?? []).map((name) => `--variant=${name}`),
    ...(options.fixtures ?? []).map((path) => `--fixtures=${path}`),
    ...(scenario === undefined ? [] : [`--scenario=${scenario}`]),
    '--exit-with-stdin',
  ];
}
