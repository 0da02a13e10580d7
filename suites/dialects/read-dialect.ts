import { existsSync, readdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../process/exit-codes.ts';
import { type Dialect, dialect } from '../profile/dialect.ts';
import { readYaml } from '../profile/read-yaml.ts';
import { isJsonObject } from '../values/json.ts';
import { likeness } from '../values/nearest.ts';

const folder = fileURLToPath(new URL('../../fixtures/dialects/', import.meta.url));

/** The names of the dialects that come with the suites. */
export function dialectNames(): string[] {
  return readdirSync(folder).flatMap((file) => (file.endsWith('.yaml') ? [file.slice(0, -5)] : []));
}

/**
 * A dialect merged with all that it extends; its own entries override the others.
 * @param from the folder of the file that names it
 * @throws UsageError when a dialect or file is missing, or one extends itself
 */
export function wholeDialect(own: Dialect, from: string, above: readonly string[] = []): Dialect {
  if (own.extends === undefined) return own;
  const path = pathOf(own.extends, from);
  if (above.includes(path)) throw new UsageError(`dialect.extends: ${own.extends} extends itself`);
  const read = readYaml({ path, what: 'dialect' }, dialect, { env: process.env });
  const base = wholeDialect(read, dirname(path), [...above, path]);
  const { extends: _, ...tables } = own;
  return merged(base, tables) as Dialect;
}

function pathOf(name: string, from: string): string {
  const shipped = resolve(folder, `${name}.yaml`);
  if (/^[\w-]+$/.test(name) && existsSync(shipped)) return shipped;
  const path = resolve(from, name);
  if (existsSync(path)) return path;
  const known = dialectNames();
  throw new UsageError(
    `dialect.extends: there is no dialect ${name}, nor a file ${path}; there are ${known.join(', ')}${likeness(name, known)}`,
  );
}

/** Tables member by member, and lists joined. A sign of an error is one: it replaces another and never mixes with it. */
function merged(one: unknown, other: unknown, table = ''): unknown {
  if (other === undefined) return one;
  if (Array.isArray(one) && Array.isArray(other)) return [...new Set([...one, ...other])];
  if (!isJsonObject(one) || !isJsonObject(other)) return other;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries(
    [...names].map((name) => {
      const isSign = table === 'codes' && isJsonObject(other[name]);
      return [name, isSign ? other[name] : merged(one[name], other[name], name)];
    }),
  );
}
