import { isMap, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import type { z } from 'zod';
import { UsageError } from '../process/exit-codes.ts';
import { mostBytes, readWithin, unreadable } from '../process/read-file.ts';
import { describeIssues, type Fault } from './describe-issues.ts';

type Document = ReturnType<typeof parseDocument>;

/** A YAML file and its description. */
export interface YamlFile {
  readonly path: string;
  /** Its kind, for messages: `profile`. */
  readonly what: string;
  /** Its text, where that is not read from this machine. */
  readonly text?: string | undefined;
}

/** How to interpret the texts of a file. */
export interface Reading {
  /** Where values of the form `env:NAME` come from; without it they are texts as others. */
  readonly env?: NodeJS.ProcessEnv;
  /** Called with each value from the environment. */
  readonly taken?: (name: string, value: string) => void;
  /** Replaces the address at the start of a value by its address on this machine. */
  readonly placed?: ((value: string) => string) | undefined;
  /** Earlier names of members, as dotted paths, which a file may still use; each with the name that replaces its last part. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Values that replace those of the file, by the place of the member: `keys.K1`. */
  readonly given?: Readonly<Record<string, string>> | undefined;
}

/**
 * Reads a YAML file. It reports all faults at once, each with its line and member. A variable that `env` lacks is a fault.
 * @throws UsageError when the file cannot be read, is not YAML, or does not fit the schema
 */
export function readYaml<T>(file: YamlFile, schema: z.ZodType<T>, reading: Reading = {}): T {
  const { path, what, text = textOf(path, what) } = file;
  const lines = new LineCounter();
  const faults: string[] = [];
  const { document, value } = parsedYaml(text, path, lines, (parsed) => {
    for (const [earlier, name] of Object.entries(reading.renamed ?? {})) rename(parsed, earlier, name);
    return resolved(parsed.toJS(), [], { ...reading, faults });
  });
  const parsed = schema.safeParse(value, { reportInput: true });
  if (!parsed.success) {
    const { first, left } = firstOf(parsed.error.issues);
    for (const fault of describeIssues(schema, first)) faults.push(located(fault, document, lines));
    if (left > 0) faults.push(`and ${left} more`);
  }
  if (faults.length > 0 || !parsed.success)
    throw new UsageError(
      `${path} is not a usable ${what}:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
    );
  return parsed.data;
}

/** Each costs a search through the file, and nobody reads more at once. */
const mostFaults = 100;

/** The first issues, with the number of faults that they leave out. */
function firstOf(issues: readonly z.core.$ZodIssue[]): {
  readonly first: readonly z.core.$ZodIssue[];
  readonly left: number;
} {
  let [room, left] = [mostFaults, 0];
  const first = issues.flatMap((issue) => {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : null;
    const count = keys?.length ?? 1;
    const taken = Math.min(room, count);
    room -= taken;
    left += count - taken;
    if (taken === 0) return [];
    return keys === null ? [issue] : [{ ...issue, keys: keys.slice(0, taken) } as z.core.$ZodIssue];
  });
  return { first, left };
}

/**
 * The value of a YAML text.
 * @param path what messages call it
 * @throws UsageError when it is no YAML, or needs too much of this machine
 */
export function yamlValue(text: string, path: string): unknown {
  return parsedYaml(text, path, new LineCounter(), (document) => document.toJS()).value;
}

/**
 * Parses a text, and takes its value. What needs too much of this machine is a fault of the file: values that repeat others
 * millions of times, or thousands of levels.
 */
function parsedYaml<Value>(
  text: string,
  path: string,
  lineCounter: LineCounter,
  read: (document: Document) => Value,
): { readonly document: Document; readonly value: Value } {
  try {
    // The parser compares each name of a map with all others: a minute for a file of 300 kB.
    const document = parseDocument(text, { lineCounter, prettyErrors: true, uniqueKeys: false });
    const [broken] = document.errors;
    if (broken !== undefined) throw broken;
    assertNamesDiffer(document, lineCounter);
    return { document, value: read(document) };
  } catch (error) {
    throw new UsageError(`${path} is not YAML: ${(error as Error).message.split('\n')[0]}`);
  }
}

function assertNamesDiffer(document: Document, lineCounter: LineCounter): void {
  visit(document, {
    Map: (_key, { items }) => {
      const names = new Set<string>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const name = String(key.value);
        const { line } = lineCounter.linePos(key.range?.[0] ?? 0);
        if (names.has(name)) throw new Error(`the member ${name} is there twice, again in line ${line}`);
        names.add(name);
      }
    },
  });
}

/** Renames a member, unless the file has a member of the new name. */
function rename(document: Document, path: string, name: string): void {
  const parents = path.split('.');
  const earlier = parents.pop();
  const parent = parents.length === 0 ? document.contents : document.getIn(parents, true);
  if (!isMap(parent) || parent.has(name)) return;
  const pair = parent.items.find(({ key }) => isScalar(key) && key.value === earlier);
  if (pair !== undefined && isScalar(pair.key)) pair.key.value = name;
}

function textOf(path: string, what: string): string {
  try {
    return readWithin(path, mostBytes.yaml).toString('utf8');
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (isMissing && what === 'profile')
      throw new UsageError(`there is no profile ${path}; npx gatecheck init writes one`);
    throw unreadable(`the ${what} ${path}`, error);
  }
}

function resolved(
  value: unknown,
  path: readonly string[],
  reading: Reading & { readonly faults: string[] },
): unknown {
  const { env, taken, placed = (text) => text, faults, given = {} } = reading;
  const { [pathText(path)]: replaced } = given;
  if (replaced !== undefined) {
    if (typeof value === 'string' && value.startsWith('env:')) taken?.(value.slice('env:'.length), replaced);
    return replaced;
  }
  if (typeof value === 'string' && env !== undefined && value.startsWith('env:')) {
    const name = value.slice('env:'.length);
    const { [name]: found = '' } = env;
    if (found === '') faults.push(`${pathText(path)}: the environment variable ${name} is not set`);
    else taken?.(name, found);
    return placed(found || value);
  }
  if (typeof value === 'string') return placed(value);
  if (Array.isArray(value)) return value.map((item, at) => resolved(item, [...path, String(at)], reading));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, resolved(item, [...path, name], reading)]),
  );
}

function located({ path, text }: Fault, document: Document, lines: LineCounter): string {
  const node = document.getIn(path, true) as { range?: [number, number, number] } | undefined;
  const at = node?.range ? ` (line ${lines.linePos(node.range[0]).line})` : '';
  return `${pathText(path) || 'the file'}${at}: ${text}`;
}

/** A place in a file in readable form: `waivers[0].until`. */
function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((step) => (/^\d+$/.test(String(step)) ? `[${String(step)}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');
}
