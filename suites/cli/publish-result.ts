import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { badgeOf, resultOf } from 'gatecheck-reports/published-result';
import { checkIds } from '../checks/areas.ts';
import { type ExitCode, exitCodes, UsageError } from '../process/exit-codes.ts';
import { makeFolder } from '../process/make-folder.ts';
import { mostBytes, readWithin } from '../process/read-file.ts';
import { yamlValue } from '../profile/read-yaml.ts';
import { isJsonObject } from '../values/json.ts';
import { readReport } from './read-report.ts';

/** The options of `gatecheck publish`. */
export interface PublishOptions {
  readonly profile: string;
  readonly implementation: string;
  /** Its exact version. */
  readonly release: string;
  readonly into: string;
}

/**
 * `gatecheck publish`: the row, the badges and the profile of a judged deployment, for others to read.
 * @throws UsageError when the profile has a secret in it
 */
export async function publishCommand(file: string, options: PublishOptions): Promise<ExitCode> {
  const { profile, implementation, release, into } = options;
  const text = profileText(profile);
  const secrets = secretsIn(yamlValue(text, profile), []);
  if (secrets.length > 0)
    throw new UsageError(
      `${profile} has secrets: ${secrets.join(', ')}; take them from the environment, as env:NAME`,
    );
  const ids = checkIds.map((id) => `${id}\n`).join('');
  const digest = createHash('sha256').update(ids).digest('hex').slice(0, 16);
  const result = resultOf(readReport(file, 'REPORT'), { implementation, version: release, checkIds: digest });
  makeFolder(into);
  writeFileSync(join(into, 'row.json'), `${JSON.stringify(result, null, 2)}\n`);
  writeFileSync(join(into, 'profile.yaml'), text);
  process.stdout.write(`${result.parts.map(badgeOf).join('\n')}\n`);
  return exitCodes.conforming;
}

function profileText(file: string): string {
  try {
    return readWithin(file, mostBytes.yaml).toString('utf8');
  } catch (error) {
    throw new UsageError(`cannot read the profile ${file}: ${(error as NodeJS.ErrnoException).code}`);
  }
}

/** Members that hold secrets by their names. */
const secretNames = /^(?:keys?|.*token|.*secret|.*password)$/i;

/** Paths of values that would give a secret away. */
function secretsIn(value: unknown, path: readonly string[]): string[] {
  if (typeof value === 'string') {
    const isSecret = path.some((name, at) => secretNames.test(name) && path[at - 1] !== 'dialect');
    const hasPassword = URL.canParse(value) && new URL(value).password !== '';
    return (isSecret && !value.startsWith('env:')) || hasPassword ? [path.join('.')] : [];
  }
  if (Array.isArray(value)) return value.flatMap((item, at) => secretsIn(item, [...path, String(at)]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, item]) => secretsIn(item, [...path, name]));
}
