import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Scenario } from '../control/scenario.ts';
import { BadScenario, readScenario } from './read-scenario.ts';

/** Where the files are that the control API arms by their names. */
const scenarioFolder = fileURLToPath(new URL('../../fixtures/scenarios/', import.meta.url));

/**
 * Reads a scenario file; a bare word for which there is no file is the name of one in `fixtures/scenarios`.
 * @throws BadScenario when it cannot be read or used.
 */
export function loadScenario(path: string): Scenario {
  if (isName(path) && !existsSync(path)) return loadScenarioByName(path);
  try {
    return readScenario(readFileSync(path, 'utf8'), path, dirname(path));
  } catch (error) {
    if (error instanceof BadScenario) throw error;
    const { code = String(error) } = error as NodeJS.ErrnoException;
    throw new BadScenario(`${path}: it cannot be read (${code})`);
  }
}

/**
 * Reads one of the files in `fixtures/scenarios` by its name without `.yaml`.
 * @throws BadScenario when there is none of that name.
 */
export function loadScenarioByName(name: string): Scenario {
  if (!isName(name)) throw new BadScenario(`${name}: not the name of a scenario file`);
  try {
    const text = readFileSync(join(scenarioFolder, `${name}.yaml`), 'utf8');
    return readScenario(text, `fixtures/scenarios/${name}.yaml`, scenarioFolder);
  } catch (error) {
    if (error instanceof BadScenario) throw error;
    throw new BadScenario(`there is no scenario ${name} in fixtures/scenarios`);
  }
}

/** The names of the files in `fixtures/scenarios`. */
export function scenarioNames(): string[] {
  return readdirSync(scenarioFolder)
    .flatMap((file) => /^(.*)\.yaml$/.exec(file)?.[1] ?? [])
    .filter(isName)
    .toSorted();
}

function isName(text: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,63}$/.test(text);
}
