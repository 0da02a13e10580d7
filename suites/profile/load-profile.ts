import { readFileSync } from 'node:fs';
import { LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { UsageError } from '../exit-codes.ts';
import { describeIssues, type Fault } from './describe-issues.ts';
import { type Budget, budget, type ModelPrice, priceList } from './money.ts';
import { type Profile, profileSchema } from './profile.ts';

/**
 * Reads a profile file. It reports all faults at once, each with its line and member. `env:NAME` values are
 * resolved against `env`; a missing variable is a fault, never an empty key.
 * @throws UsageError when the file cannot be read, is not YAML, or does not fit the schema.
 */
export function loadProfile(path: string, env: NodeJS.ProcessEnv): Profile {
  const variables: Record<string, string> = {};
  const profile = readYaml(path, profileSchema, 'profile', env, (name, value) => {
    variables[value] = name;
  });
  return Object.keys(variables).length === 0 ? profile : { ...profile, variables };
}

/**
 * Reads a file of list prices, of the shape of `pricing.models`.
 * @throws UsageError as {@link loadProfile}
 */
export function readPriceList(path: string): Record<string, ModelPrice> {
  return readYaml(path, priceList, 'price list', {});
}

/**
 * Reads the bounds of an option, of the shape of `budget`.
 * @throws UsageError with each fault
 */
export function readBudget(value: unknown): Budget {
  const parsed = budget.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  const faults = describeIssues(budget, parsed.error.issues).map(({ path, text }) =>
    [...path.map(String), text].join(': '),
  );
  throw new UsageError(`--budget: ${faults.join('; ')}`);
}

function readYaml<T>(
  path: string,
  schema: z.ZodType<T>,
  what: string,
  env: NodeJS.ProcessEnv,
  taken: Taken = () => undefined,
): T {
  const text = readText(path, what);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: true });
  const broken = document.errors[0];
  if (broken) throw new UsageError(`${path} is not YAML: ${broken.message.split('\n')[0]}`);
  const faults: string[] = [];
  const value = resolveEnv(document.toJS(), env, [], { faults, taken });
  const parsed = schema.safeParse(value, { reportInput: true });
  if (!parsed.success) {
    for (const fault of describeIssues(schema, parsed.error.issues))
      faults.push(located(fault, document, lines));
  }
  if (faults.length > 0 || !parsed.success) {
    throw new UsageError(
      `${path} is not a usable ${what}:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
    );
  }
  return parsed.data;
}

/** A profile of an address and a key only, for `run --base-url --key`. */
export function minimalProfile(baseUrl: string, key: string): Profile {
  const parsed = profileSchema.safeParse({
    name: new URL(baseUrl).host,
    base_url: baseUrl,
    keys: { K1: key },
  });
  if (!parsed.success) throw new UsageError(`${baseUrl} is not an http(s) address`);
  return parsed.data;
}

function readText(path: string, what: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(
      `cannot read the ${what} ${path}: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}`,
    );
  }
}

/** Told of each value that is taken from the environment. */
type Taken = (name: string, value: string) => void;

interface Resolving {
  readonly faults: string[];
  readonly taken: Taken;
}

function resolveEnv(value: unknown, env: NodeJS.ProcessEnv, path: string[], told: Resolving): unknown {
  if (typeof value === 'string' && value.startsWith('env:')) {
    const name = value.slice(4);
    const found = env[name];
    if (found === undefined || found === '')
      told.faults.push(`${path.join('.')}: the environment variable ${name} is not set`);
    else told.taken(name, found);
    return found ?? value;
  }
  if (Array.isArray(value))
    return value.map((item, index) => resolveEnv(item, env, [...path, String(index)], told));
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, resolveEnv(item, env, [...path, name], told)]),
    );
  }
  return value;
}

function located(
  { path, text }: Fault,
  document: ReturnType<typeof parseDocument>,
  lines: LineCounter,
): string {
  const node = document.getIn(path, true) as { range?: [number, number, number] } | undefined;
  const at = node?.range ? ` (line ${lines.linePos(node.range[0]).line})` : '';
  return `${path.map(String).join('.') || 'the file'}${at}: ${text}`;
}
