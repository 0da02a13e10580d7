import type { Scenario } from '../control/scenario.ts';
import { scenarioSchema } from '../schemas/scenario-schema.ts';
import { readYaml } from './read-yaml.ts';
import { resolveCaptures } from './resolve-captures.ts';

/**
 * Reads a scenario from YAML. `file` appears only in messages; `folder` contains its captures.
 * @throws BadFile with all mistakes.
 */
export function readScenario(text: string, file: string, folder: string): Scenario {
  return readYaml(text, file, scenarioSchema, (scenario, onFault) =>
    resolveCaptures(scenario, folder, onFault),
  );
}
