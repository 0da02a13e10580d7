import { SimulatorControl, type TenantControl } from 'gatecheck-simulators/client';
import { afterAll, beforeAll } from 'vitest';
import { type Stack, startStack } from '../stack.ts';

/** A running stack, and its upstream for a client without tenants. */
export interface StackEnds {
  readonly stack: Stack;
  readonly upstream: TenantControl;
}

/** Starts a stack once for the test file, and ends it after the last test. */
export function stackEachFile(hand: (ends: StackEnds) => void): void {
  let stack: Stack;
  let control: SimulatorControl;
  beforeAll(async () => {
    stack = await startStack({ seed: 1, tenants: 0 });
    control = new SimulatorControl(stack.profile.upstream?.control ?? '');
    hand({ stack, upstream: control.tenant('default') });
  }, 60_000);
  afterAll(async () => {
    await control.close();
    await stack.stop();
  });
}
