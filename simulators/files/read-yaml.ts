import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  visit,
  type YAMLMap,
  type YAMLParseError,
} from 'yaml';
import type { z } from 'zod';
import { inPlainWords, renderPath } from '../json/issue.ts';
import { BadFile } from './bad-file.ts';

/** The maximum size of a file. No file needs more. */
const maxBytes = 1024 * 1024;
const maxFaults = 20;

/** A mistake in a file, and its position. */
export interface FileFault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/**
 * Reads a value from YAML or JSON. `file` appears only in messages. `complete` may finish the value and add mistakes.
 * @throws BadFile with all mistakes, each with line and column.
 */
export function readYaml<T>(
  text: string,
  file: string,
  schema: z.ZodType<T>,
  complete: (value: T, onFault: (fault: FileFault) => void) => T = (value) => value,
): T {
  if (Buffer.byteLength(text) > maxBytes) throw new BadFile(`${file}: larger than ${maxBytes} bytes`);
  const lines = new LineCounter();
  const document = parsed(text, file, lines);
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  if (document.errors.length > 0) {
    throw badFile(document.errors.map(({ pos, ...error }) => `${at(pos[0])}: ${messageOf(error)}`));
  }
  const twice = repeatedIn(document);
  if (twice !== null) throw new BadFile(`${at(twice)}: Map keys must be unique`);
  const name = protoIn(document);
  if (name !== null) throw new BadFile(`${at(name)}: __proto__ cannot be the name of a member`);
  const checked = schema.safeParse(toValue(document, file), inPlainWords);
  const faults = (checked.error?.issues ?? []).flatMap(pathsOf);
  const value = checked.success ? complete(checked.data, (fault) => faults.push(fault)) : null;
  if (value !== null && faults.length === 0) return value;
  const root = document.contents;
  throw badFile(
    faults
      .map(({ path, message }) => ({
        path,
        message,
        offset: root === null ? 0 : offsetOf(document, root, path),
      }))
      .toSorted((one, other) => one.offset - other.offset)
      .map(
        ({ path, message, offset }) =>
          `${at(offset)}: ${path.length === 0 ? '' : `${renderPath(path)}: `}${message}`,
      ),
  );
}

/** The parser itself compares each name of a map with all others: minutes for a file of this size. */
function parsed(text: string, file: string, lineCounter: LineCounter): ReturnType<typeof parseDocument> {
  try {
    return parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: false });
  } catch (error) {
    // More levels than the stack has room for.
    throw new BadFile(`${file}:1:1: ${sentence(error instanceof Error ? error.message : String(error))}`);
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

function toValue(document: ReturnType<typeof parseDocument>, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 1000 });
  } catch (error) {
    // Aliases that multiply, or that refer to nothing.
    throw new BadFile(`${file}:1:1: ${sentence(error instanceof Error ? error.message : String(error))}`);
  }
}

function badFile(faults: readonly string[]): BadFile {
  const more = faults.length > maxFaults ? [`and ${faults.length - maxFaults} more`] : [];
  return new BadFile([...faults.slice(0, maxFaults), ...more].join('\n'));
}

/** The offset of a key `__proto__`, or null. Objects would silently drop such a member. */
function protoIn(document: Document): number | null {
  let found: number | null = null;
  visit(document, {
    Pair: (_at, { key }) => {
      if (!isScalar(key) || key.value !== '__proto__') return undefined;
      found = key.range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return found;
}

function messageOf({ code, message }: Pick<YAMLParseError, 'code' | 'message'>): string {
  return code === 'MULTIPLE_DOCS' ? 'a second document begins, and a file is one' : sentence(message);
}

/** A message of the YAML reader, which may have lines of its own. */
function sentence(message: string): string {
  return message.split('\n')[0]?.replace(/[:.]$/, '') ?? message;
}

/** One mistake per unknown member, so that each has its own position. */
function pathsOf(issue: z.core.$ZodIssue): FileFault[] {
  if (issue.code === 'unrecognized_keys') {
    const message = issue.message.startsWith('unknown member') ? issue.message : 'unknown member';
    return issue.keys.map((key) => ({ path: [...issue.path, key], message }));
  }
  if (issue.code === 'invalid_key') {
    return [{ path: issue.path, message: issue.issues[0]?.message ?? issue.message }];
  }
  return [{ path: issue.path, message: issue.message }];
}

/** The offset of the path in the file: that of its key, otherwise of the deepest part that exists. */
function offsetOf(document: Document, root: Node, path: readonly PropertyKey[]): number {
  let node: Node = root;
  let offset = node.range?.[0] ?? 0;
  for (const part of path) {
    const pair = isMap(node) ? pairOf(node, String(part)) : undefined;
    const next: unknown = pair === undefined ? childOf(node, part) : pair.value;
    const place: unknown = pair === undefined ? next : pair.key;
    if (!isNode(place)) break;
    offset = place.range?.[0] ?? offset;
    const target: unknown = isAlias(next) ? next.resolve(document) : next;
    if (!isNode(target)) break;
    node = target;
  }
  return offset;
}

const pairs = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>();

/** The pair of a name. Each map is searched once, since a file may have a hundred thousand unknown names. */
function pairOf(node: YAMLMap, name: string): Pair | undefined {
  let known = pairs.get(node);
  if (known === undefined) {
    known = new Map(
      node.items.flatMap((pair) => (isScalar(pair.key) ? [[String(pair.key.value), pair]] : [])),
    );
    pairs.set(node, known);
  }
  return known.get(name);
}

function childOf(node: Node, part: PropertyKey): unknown {
  return 'items' in node && Array.isArray(node.items) && typeof part === 'number'
    ? node.items[part]
    : undefined;
}
