import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { SimulatorControl, type TenantControl } from '../control/client.ts';
import { parseUpstream } from '../http/upstream.ts';
import { type OpenSimulators, openSimulators } from '../start.ts';

/** Simulators for the tests of one file. */
export interface TestSimulators {
  /** The control client. */
  readonly control: SimulatorControl;
  readonly controlUrl: string;
  /** The base URL of a channel of the tenant, up to `/v1`. */
  base(tenant: string, channel?: string): string;
  /** A tenant of the test's own, reset when the test ends. */
  tenant(): TenantControl;
}

/** Starts simulators before the tests of the file and ends them afterwards. A defect of theirs fails the file. */
export function useSimulators({
  testClock = false,
  seed = 1,
  consoleToken = null as string | null,
  strictModels = true,
  /** The base URL of a provider, which is known when the tests begin. */
  passTo = null as (() => string) | null,
} = {}): TestSimulators {
  const defects: unknown[] = [];
  let running: OpenSimulators | null = null;
  let control: SimulatorControl | null = null;
  let tenants = 0;
  beforeAll(async () => {
    running = await openSimulators({
      port: 0,
      controlPort: 0,
      seed,
      testClock,
      consoleToken,
      provider: passTo === null ? null : parseUpstream(passTo()),
      settings: { strictModels },
      onDefect: (error) => defects.push(error),
    });
    control = new SimulatorControl(String(running.controlUrl));
  });
  afterAll(async () => {
    await control?.close();
    await running?.close();
    if (defects.length > 0) throw new AggregateError(defects, 'the simulators failed');
  });
  const started = (): { running: OpenSimulators; control: SimulatorControl } => {
    if (running === null || control === null) throw new Error('the simulators are started before the tests');
    return { running, control };
  };
  return {
    get control() {
      return started().control;
    },
    get controlUrl() {
      return String(started().running.controlUrl);
    },
    base: (tenant, channel = 'alpha') => `${started().running.providerUrl}/${tenant}/${channel}/v1`,
    tenant: () => {
      tenants += 1;
      const tenant = started().control.tenant(`lane-${tenants}`);
      onTestFinished(() => tenant.reset());
      return tenant;
    },
  };
}
