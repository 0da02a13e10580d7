import type { Scenario } from '../control/scenario.ts';
import { scenarioSchema } from '../schemas/scenario-schema.ts';
import { readYaml } from './read-yaml.ts';
import { resolveCaptures } from './resolve-captures.ts';

/**
 * Reads a scenario from YAML. `file` is only for the messages; `folder` is where its captures are.
 * @throws BadFile with all its faults.
 */
export function readScenario(text: string, file: string, folder: string): Scenario {
  return readYaml(text, file, scenarioSchema, (scenario, onFault) =>
    resolveCaptures(scenario, folder, onFault),
  );
}
