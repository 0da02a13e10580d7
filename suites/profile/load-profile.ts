import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { UsageError } from '../process/exit-codes.ts';
import { type ContainerSection, container, type ProcessSection, processSection } from './container.ts';
import { describeIssues } from './describe-issues.ts';
import { type Budget, budget, type ModelPrice, priceList } from './money.ts';
import { type Profile, profileSchema } from './profile.ts';
import { readYaml } from './read-yaml.ts';

/** Earlier names of a profile's members, with their paths. */
const renamed = { lanes: 'tenants', 'upstream.doors': 'broken_listeners' } as const;

/**
 * Reads a profile file. It reports all faults at once, each with its line and member. `env:NAME` values are
 * resolved against `env`; a missing variable is a fault, never an empty key.
 * @throws UsageError when the file cannot be read, is not YAML, or does not fit the schema.
 */
export function loadProfile(path: string, env: NodeJS.ProcessEnv, seen: Seen = {}): Profile {
  const variables: Record<string, string> = {};
  const taken = (name: string, value: string): void => {
    variables[value] = name;
  };
  const { text, placed, key } = seen;
  const reading = { env, taken, placed, renamed, given: givenKey(key) };
  const profile = readYaml({ path, what: 'profile', text }, profileSchema, reading);
  if (key !== undefined && profile.tenants.length > 0)
    throw new UsageError(
      `--key cannot replace the keys of ${path}: it has tenants, each with keys of its own`,
    );
  const found = withDialectFile(profile, dirname(path));
  return Object.keys(variables).length === 0 ? found : { ...found, variables };
}

function givenKey(key: string | undefined): Record<string, string> | undefined {
  return key === undefined ? undefined : { 'keys.K1': key };
}

/** Resolves the dialect file beside the profile. */
function withDialectFile(profile: Profile, folder: string): Profile {
  const beside = resolve(folder, profile.dialect?.extends ?? '');
  if (profile.dialect?.extends === undefined || !existsSync(beside)) return profile;
  return { ...profile, dialect: { ...profile.dialect, extends: beside } };
}

/** What is known besides the file: its containers that run already, and options. */
export interface Seen {
  /** Its text, when the file is not on this machine. */
  readonly text?: string;
  /** Replaces the address at the start of a value by its address on this machine. */
  readonly placed?: (value: string) => string;
  /** The key of `--key`, which replaces `keys.K1`. */
  readonly key?: string | undefined;
}

/** What a profile declares about a deployment to start, before it can be reached. */
export interface Contained {
  readonly section: ContainerSection;
  /** Every text of the profile. */
  readonly texts: readonly string[];
  /** Names of environment variables by the values that the profile takes from them. */
  readonly variables: Readonly<Record<string, string>>;
}

/** The same of a process. */
export interface Processed extends Pick<Contained, 'variables'> {
  readonly process: ProcessSection;
}

/**
 * What a profile declares about a deployment to start; null when it declares nothing.
 * @throws UsageError as {@link loadProfile}
 */
export function readContained(
  path: string,
  env: NodeJS.ProcessEnv,
  key?: string,
): Contained | Processed | null {
  const variables: Record<string, string> = {};
  const texts: string[] = [];
  const taken = (name: string, value: string): void => {
    variables[value] = name;
  };
  const placed = (value: string): string => {
    texts.push(value);
    return value;
  };
  const schema = z.looseObject({ container: container.optional(), process: processSection.optional() });
  const { container: section, process } = readYaml({ path, what: 'profile' }, schema, {
    env,
    taken,
    placed,
    given: givenKey(key),
  });
  if (section !== undefined && process !== undefined)
    throw new UsageError(`${path}: give either container or process, not both`);
  if (process !== undefined) return { process, variables };
  return section === undefined ? null : { section, texts, variables };
}

/**
 * Reads a price list file in the form of `pricing.models`.
 * @throws UsageError as {@link loadProfile}
 */
export function readPriceList(path: string): Record<string, ModelPrice> {
  return readYaml({ path, what: 'price list' }, priceList, { env: {} });
}

/**
 * Reads the limits of an option in the form of `budget`.
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

/** A profile with only a URL and a key, for `run --base-url --key`. */
export function minimalProfile(baseUrl: string, key: string): Profile {
  const parsed = profileSchema.safeParse({
    name: new URL(baseUrl).host,
    base_url: baseUrl,
    keys: { K1: key },
  });
  if (!parsed.success) throw new UsageError(`${baseUrl} is not an http(s) address`);
  return parsed.data;
}
