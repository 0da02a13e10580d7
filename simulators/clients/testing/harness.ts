import { SimulatorControl } from '../../control/client.ts';
import { openSimulators } from '../../start.ts';

/** A separate instance of the simulators, with every broken listener. Works without a test runner. */
export interface Bench {
  readonly control: SimulatorControl;
  /** The origin of each broken listener, by its name. */
  readonly brokenListeners: Readonly<Partial<Record<string, string>>>;
  /** The base URL of a tenant's channel. */
  origin(scope: string, channel?: string): string;
  /** @throws AggregateError when the simulators had internal errors. */
  close(): Promise<void>;
}

export async function startBench({ testClock = false } = {}): Promise<Bench> {
  const defects: unknown[] = [];
  const running = await openSimulators({
    port: 0,
    controlPort: 0,
    seed: 1,
    testClock,
    brokenListeners: true,
    settings: { strictModels: true },
    onDefect: (error) => defects.push(error),
  });
  const control = new SimulatorControl(String(running.controlUrl));
  return {
    control,
    brokenListeners: running.brokenListeners,
    origin: (scope, channel = 'alpha') => `${running.providerUrl}/${scope}/${channel}`,
    close: async () => {
      await control.close();
      await running.close();
      if (defects.length > 0) throw new AggregateError(defects, 'the simulators failed');
    },
  };
}
