import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Scenario, ScenarioChoice } from 'gatecheck-simulators/client';
import { parse } from 'yaml';
import { UsageError } from '../process/exit-codes.ts';
import { type DrillSection, readScenarioFile, type ScenarioFile } from '../profile/drill-section.ts';
import { readThreshold, type Threshold } from './thresholds.ts';

/** A scenario that can be rehearsed. */
export interface DrillScenario {
  readonly file: ScenarioFile;
  /** How the simulators are told to play it. */
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
  const content = contentOf(path, nameOrPath);
  const file = readScenarioFile(content);
  if (typeof file === 'string') throw new UsageError(`${nameOrPath}: ${file}`);
  if (file.drill === undefined)
    throw new UsageError(
      `${nameOrPath} has no drill: add how long calls are sent and the thresholds (docs/seeing.md)`,
    );
  return {
    file,
    choice: isName ? { file: nameOrPath } : { scenario: content as Scenario },
    drill: file.drill,
    thresholds: file.drill.thresholds.map(readThreshold),
  };
}

function contentOf(path: string, given: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new UsageError(`there is no scenario ${given}: give a YAML file, or a name of fixtures/scenarios`);
  }
  try {
    return parse(text);
  } catch (error) {
    throw new UsageError(`${given}: ${(error as Error).message.split('\n')[0]}`);
  }
}
