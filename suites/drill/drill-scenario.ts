import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Scenario, ScenarioChoice } from 'gatecheck-simulators/client';
import { UsageError } from '../process/exit-codes.ts';
import { type DrillSection, type ScenarioFile, scenarioFile } from '../profile/drill-section.ts';
import { readYaml } from '../profile/read-yaml.ts';
import { readThreshold, type Threshold } from './thresholds.ts';

/** A scenario that can be rehearsed. */
export interface DrillScenario {
  readonly file: ScenarioFile;
  /** The request that starts it in the simulators. */
  readonly choice: ScenarioChoice;
  readonly drill: DrillSection;
  readonly thresholds: readonly Threshold[];
}

const folder = fileURLToPath(new URL('../../fixtures/scenarios/', import.meta.url));

/**
 * Reads a scenario with its load and thresholds: a YAML file, or a name of `fixtures/scenarios`.
 * @throws UsageError when there is none, or it has no `drill`
 */
export function readDrillScenario(nameOrPath: string): DrillScenario {
  const isName = /^[a-z0-9][a-z0-9-]*$/.test(nameOrPath) && !existsSync(nameOrPath);
  const path = isName ? `${folder}${nameOrPath}.yaml` : nameOrPath;
  if (!existsSync(path))
    throw new UsageError(
      `there is no scenario ${nameOrPath}: give a YAML file, or one of ${readdirSync(folder)
        .map((name) => name.replace('.yaml', ''))
        .join(', ')}`,
    );
  const file = readYaml({ path, what: 'scenario' }, scenarioFile);
  if (file.drill === undefined)
    throw new UsageError(
      `${nameOrPath} has no drill: add how long calls are sent and the thresholds (docs/drill.md)`,
    );
  // The simulators validate the rest of it.
  const asGiven: unknown = file;
  return {
    file,
    choice: isName ? { file: nameOrPath } : { scenario: asGiven as Scenario },
    drill: file.drill,
    thresholds: file.drill.thresholds.map(readThreshold),
  };
}
