import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
} from 'yaml';
import type { z } from 'zod';
import { type Config, configSchema } from './config.ts';
import { readJsonConfig } from './read-json-config.ts';

/**
 * The configuration, or every fault in it. A fault is one sentence with file, line and path, and never contains a
 * value.
 */
export type ConfigReading = { readonly config: Config } | { readonly faults: readonly string[] };

/**
 * Reads the text of gateway.yaml. `fileName` appears in error messages. A name that ends with `.json` marks the text as JSON.
 */
export function readConfig(text: string, fileName: string): ConfigReading {
  const config = readJsonConfig(text, fileName);
  if (config !== null) return { config };
  return (text.length > mostWithLines ? readLarge(text, fileName) : null) ?? readYaml(text, fileName);
}

/** Longer texts are read as JSON, without lines: to parse a megabyte of YAML takes a second. */
const mostWithLines = 1024 * 1024;
/** Longer texts have to be JSON. */
const mostYaml = 4 * mostWithLines;

/** Null where it is no JSON, and no longer than YAML may be. */
function readLarge(text: string, fileName: string): ConfigReading | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text.length > mostYaml
      ? { faults: [`${fileName} is no JSON, and too long for YAML, which may have 4 MiB.`] }
      : null;
  }
  const parsed = configSchema.safeParse(value);
  if (parsed.success) return { config: parsed.data };
  return faultsOf(fileName, parsed.error, ({ path, issue }) => {
    const isMissing = issue.code !== 'unrecognized_keys' && valueAt(value, path) === undefined;
    return `${fileName} ${pathText(path)} ${ruleText(isMissing, issue)}.`;
  });
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (within, key) =>
      typeof within === 'object' && within !== null && Object.hasOwn(within, key)
        ? (within as Readonly<Record<PropertyKey, unknown>>)[key]
        : undefined,
    value,
  );
}

function readYaml(text: string, fileName: string): ConfigReading {
  const lines = new LineCounter();
  // The parser itself would compare each name of a map with all others.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const [syntax] = document.errors;
  const twice = syntax === undefined ? repeatedIn(document) : null;
  const [code, offset] = syntax === undefined ? ['DUPLICATE_KEY', twice] : [syntax.code, syntax.pos[0]];
  if (offset !== null) {
    const { line, col } = lines.linePos(offset);
    return { faults: [`${fileName}:${line}:${col} is not valid YAML (${code}).`] };
  }
  const values = valuesIn(document);
  if (values === null)
    return { faults: [`${fileName} has an alias without its anchor, or too many aliases.`] };
  const parsed = configSchema.safeParse(values);
  if (parsed.success) return { config: parsed.data };
  return faultsOf(fileName, parsed.error, ({ path, issue }) => {
    const { line, col } = lines.linePos(offsetOf(document, path));
    return `${fileName}:${line}:${col} ${pathText(path)} ${ruleText(!document.hasIn([...path]), issue)}.`;
  });
}

interface Place {
  readonly path: readonly PropertyKey[];
  readonly issue: z.core.$ZodIssue;
}

/** The first faults, and how many there are besides. */
function faultsOf(
  fileName: string,
  { issues }: Pick<z.ZodError, 'issues'>,
  describe: (place: Place) => string,
): ConfigReading {
  const places = issues.flatMap((issue) => {
    // zod reports unknown keys on their parent; each key gets its own line here.
    const paths =
      issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
    return paths.map((path) => ({ path, issue }));
  });
  const faults = places.slice(0, mostFaults).map(describe);
  const left = places.length - faults.length;
  return { faults: left === 0 ? faults : [...faults, `${fileName} has ${left} faults more.`] };
}

/** Each costs a search through the file, and nobody reads more at once. */
const mostFaults = 100;

/** The values of a document; null where its aliases lead nowhere, or multiply without bound. */
function valuesIn(document: Document): unknown {
  try {
    return document.toJS() ?? {};
  } catch (error) {
    if (error instanceof ReferenceError) return null;
    throw error;
  }
}

/** The offset of a name that its map already has; null if all differ. */
function repeatedIn(document: Document): number | null {
  let found: number | null = null;
  visit(document, {
    Map: (_at, { items }) => {
      const names = new Set<string>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const name = String(key.value);
        if (names.has(name)) {
          found = key.range?.[0] ?? 0;
          return visit.BREAK;
        }
        names.add(name);
      }
      return undefined;
    },
  });
  return found;
}

function ruleText(isMissing: boolean, { code, message }: z.core.$ZodIssue): string {
  if (code === 'unrecognized_keys') return 'is not a known setting';
  if (isMissing) return 'is missing';
  return message.startsWith('must') ? message : 'has the wrong form';
}

/**
 * The offset at which the value at a path begins. For a missing value, the offset of its nearest existing parent.
 */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const key of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (!isCollection(node)) break;
    const pair = isMap(node) ? node.items.find((item) => String(item.key) === String(key)) : undefined;
    const next: unknown = node.get(key, true);
    const start = startOf(pair?.key) ?? startOf(next);
    if (start === undefined) break;
    offset = start;
    node = next;
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node)) return undefined;
  const range: unknown = node.range;
  return Array.isArray(range) && typeof range[0] === 'number' ? range[0] : undefined;
}

function pathText(path: readonly PropertyKey[]): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return text.replace(/^\./, '') || 'the file';
}
