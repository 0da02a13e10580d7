import { readFileSync } from 'node:fs';
import { LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { UsageError } from '../process/exit-codes.ts';
import { type ContainerSection, container } from './container.ts';
import { describeIssues, type Fault } from './describe-issues.ts';
import { type Budget, budget, type ModelPrice, priceList } from './money.ts';
import { type Profile, profileSchema } from './profile.ts';

/**
 * Reads a profile file. It reports all faults at once, each with its line and member. `env:NAME` values are
 * resolved against `env`; a missing variable is a fault, never an empty key.
 * @throws UsageError when the file cannot be read, is not YAML, or does not fit the schema.
 */
export function loadProfile(path: string, env: NodeJS.ProcessEnv, seen: Seen = {}): Profile {
  const variables: Record<string, string> = {};
  const taken: Taken = (name, value) => {
    variables[value] = name;
  };
  const text = seen.text ?? readText(path, 'profile');
  const profile = readYaml({ path, text }, profileSchema, 'profile', { env, taken, ...seen });
  return Object.keys(variables).length === 0 ? profile : { ...profile, variables };
}

/** How the profile of containers that run is read. */
export interface Seen {
  /** Its text, where that is no file of this machine. */
  readonly text?: string;
  /** What this machine calls an address that a value begins with. */
  readonly placed?: (value: string) => string;
}

/** What a profile says of the containers to start, before there is an address. */
export interface Contained {
  readonly section: ContainerSection;
  /** Every text of the profile. */
  readonly texts: readonly string[];
  /** Names of environment variables by the values that the profile takes from them. */
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * What a profile says of containers; null where it says nothing.
 * @throws UsageError as {@link loadProfile}
 */
export function readContained(path: string, env: NodeJS.ProcessEnv): Contained | null {
  const variables: Record<string, string> = {};
  const texts: string[] = [];
  const taken: Taken = (name, value) => {
    variables[value] = name;
  };
  const placed = (value: string): string => {
    texts.push(value);
    return value;
  };
  const schema = z.looseObject({ container: container.optional() });
  const text = readText(path, 'profile');
  const { container: section } = readYaml({ path, text }, schema, 'profile', { env, taken, placed });
  return section === undefined ? null : { section, texts, variables };
}

/**
 * Reads a file of list prices, of the shape of `pricing.models`.
 * @throws UsageError as {@link loadProfile}
 */
export function readPriceList(path: string): Record<string, ModelPrice> {
  return readYaml({ path, text: readText(path, 'price list') }, priceList, 'price list', { env: {} });
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

/** How the values of a file are taken. */
interface Reading extends Seen {
  readonly env: NodeJS.ProcessEnv;
  readonly taken?: Taken;
}

function readYaml<T>(
  { path, text }: { readonly path: string; readonly text: string },
  schema: z.ZodType<T>,
  what: string,
  { env, taken = () => undefined, placed = (value) => value }: Reading,
): T {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: true });
  const broken = document.errors[0];
  if (broken) throw new UsageError(`${path} is not YAML: ${broken.message.split('\n')[0]}`);
  const faults: string[] = [];
  const value = resolveEnv(document.toJS(), env, [], { faults, taken, placed });
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
  readonly placed: (value: string) => string;
}

function resolveEnv(value: unknown, env: NodeJS.ProcessEnv, path: string[], told: Resolving): unknown {
  if (typeof value === 'string' && value.startsWith('env:')) {
    const name = value.slice(4);
    const found = env[name];
    if (found === undefined || found === '')
      told.faults.push(`${path.join('.')}: the environment variable ${name} is not set`);
    else told.taken(name, found);
    return told.placed(found ?? value);
  }
  if (typeof value === 'string') return told.placed(value);
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
