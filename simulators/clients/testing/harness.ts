import { SimulatorControl } from '../../control/client.ts';
import { openSimulators } from '../../start.ts';

/** Simulators of one's own, with every broken listener. Works without a test runner, too. */
export interface Bench {
  readonly control: SimulatorControl;
  /** Where the broken listeners are: what an address begins with, by the name of the broken listener. */
  readonly brokenListeners: Readonly<Partial<Record<string, string>>>;
  /** What clients of a tenant's channel are pointed at. */
  origin(scope: string, channel?: string): string;
  /** @throws AggregateError when the simulators failed in the meantime. */
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
