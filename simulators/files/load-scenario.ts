import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Scenario } from '../control/scenario.ts';
import { readText } from '../http/read-text.ts';
import { BadFile } from './bad-file.ts';

/** Bytes. The reader refuses less, with its own sentence. */
const maxScenarioBytes = 2 * 1024 * 1024;

/** The folder of the scenario files that the control API starts by name. */
const scenarioFolder = fileURLToPath(new URL('../../fixtures/scenarios/', import.meta.url));

/**
 * Reads a scenario file. A bare word without such a file names a file in `fixtures/scenarios`.
 * @throws BadFile when the file is unreadable or invalid.
 */
export async function loadScenario(path: string): Promise<Scenario> {
  if (isName(path) && !existsSync(path)) return loadScenarioByName(path);
  try {
    return await read(readText(path, maxScenarioBytes), path, dirname(path));
  } catch (error) {
    if (error instanceof BadFile) throw error;
    const { code = String(error) } = error as NodeJS.ErrnoException;
    throw new BadFile(
      `${path}: ${code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${code})`}`,
    );
  }
}

/**
 * Reads one of the files in `fixtures/scenarios` by its name without `.yaml`.
 * @throws BadFile when there is none of that name.
 */
export async function loadScenarioByName(name: string): Promise<Scenario> {
  if (!isName(name)) throw new BadFile(`${name}: not the name of a scenario file`);
  try {
    const text = readFileSync(join(scenarioFolder, `${name}.yaml`), 'utf8');
    return await read(text, `fixtures/scenarios/${name}.yaml`, scenarioFolder);
  } catch (error) {
    if (error instanceof BadFile) throw error;
    throw new BadFile(`there is no scenario ${name}; there are ${scenarioNames().join(', ')}`);
  }
}

/** Loads the YAML reader on demand: most processes read no scenario file. */
async function read(text: string, file: string, folder: string): Promise<Scenario> {
  const { readScenario } = await import('./read-scenario.ts');
  return readScenario(text, file, folder);
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
