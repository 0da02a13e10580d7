import { type Stats, statSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { areaOf, areas } from '../checks/areas.ts';
import { type Check, checkKinds } from '../engine/check.ts';
import { facts } from '../engine/facts.ts';
import { UsageError } from '../process/exit-codes.ts';
import { mostBytes, unreadable } from '../process/read-file.ts';
import { loadRegister, type Register, type Requirement } from '../rules/register.ts';
import { shellWord } from '../values/shell-word.ts';
import { type KnownChecks, knownChecks } from './known-checks.ts';

/** Checks and rules of the user's own, from files that the user names (`--checks`). */
export interface OwnChecks {
  readonly checks: readonly Check[];
  /** The register with the rules of these files. */
  readonly register: Register;
}

/** The names under which such files import the package's modules. */
const publicModules: Readonly<Record<string, URL>> = {
  gatecheck: new URL('../public-api.ts', import.meta.url),
};

/** All checks that a command can name, and the register with all their rules. */
export async function knownWithOwn(
  files: readonly string[] = [],
): Promise<KnownChecks & { readonly register: Register }> {
  const [known, register] = [await knownChecks(), loadRegister()];
  if (files.length === 0) return { ...known, register };
  const own = await loadOwnChecks(files, register);
  return { ...known, checks: [...known.checks, ...own.checks], register: own.register };
}

let resolvesOwnName = false;

/**
 * Loads the files. Each exports `checks`, a list of results of `defineCheck`, and may export `requirements`.
 * @throws UsageError when a file is missing, throws, or has a check that cannot be judged
 */
export async function loadOwnChecks(files: readonly string[], register: Register): Promise<OwnChecks> {
  resolveOwnName();
  let known: OwnChecks = { checks: [], register };
  for (const file of files) known = withOwn(known, await load(file), `--checks ${file}`);
  return known;
}

/**
 * Adds checks and rules of the user's own.
 * @param where names their source in errors
 * @throws UsageError when one of them cannot be judged
 */
export function withOwn(known: OwnChecks, own: Lists, where: string): OwnChecks {
  const rules = new Map(known.register);
  const builtIn = new Set([...loadRegister().values()].map(({ area }) => area));
  for (const rule of own.requirements) addRule(rules, builtIn, rule, where);
  const checks = [...known.checks];
  for (const check of own.checks) {
    refuseUnusable(check, rules, where);
    if (checks.some(({ id }) => id === check.id))
      throw new UsageError(`${where}: there are two checks ${check.id}`);
    checks.push(check);
  }
  return { checks, register: rules };
}

/**
 * Resolves imports in own checks to the modules of the running program, wherever it is installed. Violations of another copy
 * would not be recognised.
 */
function resolveOwnName(): void {
  if (resolvesOwnName) return;
  resolvesOwnName = true;
  registerHooks({
    resolve: (specifier, context, next) => {
      const own = Object.hasOwn(publicModules, specifier) ? publicModules[specifier] : undefined;
      return own === undefined ? next(specifier, context) : { url: own.href, shortCircuit: true };
    },
  });
}

/** What a file of own checks exports. */
export interface Lists {
  readonly checks: readonly Check[];
  readonly requirements: readonly Requirement[];
}

async function load(file: string): Promise<Lists> {
  const path = resolve(file);
  assertModule(path, `--checks ${file}`);
  let found: { checks?: unknown; requirements?: unknown };
  try {
    found = (await import(pathToFileURL(path).href)) as typeof found;
  } catch (error) {
    throw new UsageError(
      `--checks ${file} cannot be loaded: ${error instanceof Error ? error.message : error}`,
    );
  }
  const { checks, requirements = [] } = found;
  if (!Array.isArray(checks) || !Array.isArray(requirements))
    throw new UsageError(
      `--checks ${file} has to export a list \`checks\` (and may export a list \`requirements\`)`,
    );
  return { checks, requirements };
}

/** Only a file can be a module: the loader would read a pipe or a device for ever. */
function assertModule(path: string, named: string): void {
  let facts: Stats;
  try {
    facts = statSync(path);
  } catch (error) {
    throw unreadable(named, error);
  }
  if (!facts.isFile()) throw new UsageError(`${named}: this is no file`);
  if (facts.size > mostBytes.module) throw new UsageError(`${named}: it is too large`);
}

function addRule(
  rules: Map<string, Requirement>,
  builtIn: ReadonlySet<string>,
  rule: Requirement,
  where: string,
): void {
  if (builtIn.has(rule.area))
    throw new UsageError(`${where}: ${rule.id} begins with a built-in area; choose another prefix`);
  if (rules.has(rule.id)) throw new UsageError(`${where}: there are two requirements ${rule.id}`);
  rules.set(rule.id, rule);
}

/** Validates at run time what the type of a check requires, for files that were never compiled. */
function refuseUnusable(check: Check, rules: Register, where: string): void {
  const refuse = (why: string): never => {
    throw new UsageError(`${where}: the check ${check?.id ?? '(without id)'} ${why}`);
  };
  if (typeof check?.id !== 'string' || typeof check.run !== 'function') refuse('was not made by defineCheck');
  if (areas.includes(areaOf(check.id))) refuse('begins with a built-in area; choose another prefix');
  if (!checkKinds.includes(check.kind)) refuse(`is of no known kind (${checkKinds.join(', ')})`);
  const unknown = check.requirements.find((id) => !rules.has(id));
  if (unknown !== undefined || check.requirements.length === 0)
    refuse(`names ${unknown ?? 'no requirement'}: neither the register nor \`requirements\` has it`);
  const fact = check.needs.find((need) => !facts.includes(need));
  if (fact !== undefined) refuse(`needs ${fact}, which no profile can declare`);
}

/** The flags that name files of own checks. */
export function checkFlags({ checks = [] }: { readonly checks?: readonly string[] }): string {
  return checks.map((file) => ` --checks ${shellWord(file)}`).join('');
}
