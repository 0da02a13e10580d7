import type { Scenario } from '../control/scenario.ts';
import { keysSelected } from '../requests/selectors.ts';

/** Every key that the scenario names, in its rules and in its selectors. */
export function keysIn({ rules = [], channels }: Scenario): string[] {
  const shares = Object.values(channels).flatMap(({ faults = [], phases = [] }) => [
    ...faults,
    ...phases.flatMap((phase) => phase.faults ?? []),
  ]);
  return [...rules, ...shares].flatMap(({ when = {} }) => keysSelected(when));
}
