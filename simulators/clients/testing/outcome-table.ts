import { readFileSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type ChatDialectName, chatDialectNames } from '../../answers/native-answer.ts';
import type { ClientRig } from './client-rig.ts';

/** The outcomes of one client version, fault by fault: `fixtures/clients/<client>.json`. */
export interface OutcomeTable {
  readonly client: string;
  /** Version of the package. Another version may behave differently. */
  readonly version: string;
  /** The major version of Node, whose `fetch` influences every outcome. */
  readonly node: string;
  readonly dialect: ChatDialectName;
  /** Another client, whose rows apply to every fault without a row here. */
  readonly like?: string;
  /** Keys such as `S2 inside-json stream`, with the line of the outcome. A key without form or call covers all cases without their own row. */
  readonly faults: Readonly<Record<string, string>>;
  /** The same for outages: the outcomes of their calls, in order. */
  readonly outages: Readonly<Record<string, string>>;
}

const tableSchema = z.strictObject({
  client: z.string(),
  version: z.string(),
  node: z.string(),
  dialect: z.enum(chatDialectNames),
  like: z.string().exactOptional(),
  faults: z.record(z.string(), z.string()),
  outages: z.record(z.string(), z.string()),
}) satisfies z.ZodType<OutcomeTable>;

export function tableFile(client: string): URL {
  const stem = client.replace('@', '').replaceAll('/', '-');
  return new URL(`../../../fixtures/clients/${stem}.json`, import.meta.url);
}

/** @throws Error when the file is missing or wrong. */
export function readTable(client: string): OutcomeTable {
  return tableSchema.parse(JSON.parse(readFileSync(tableFile(client), 'utf8')));
}

export function writeTable({ faults, outages, ...head }: OutcomeTable): void {
  const base = head.like === undefined ? null : readTable(head.like);
  const table = {
    ...head,
    faults: inShort(faults, base?.faults ?? {}),
    outages: inShort(outages, base?.outages ?? {}),
  };
  writeFileSync(tableFile(head.client), JSON.stringify(table));
}

type Rows<T> = Readonly<Record<string, T>>;

/** The row for a name: the client's most specific row, otherwise that of the other client. */
export function rowOf<T>(name: string, own: Rows<T>, base: Rows<T> = {}): T | undefined {
  for (const rows of [own, base]) {
    const found = coveringNames(name).find((one) => rows[one] !== undefined);
    if (found !== undefined) return rows[found];
  }
  return undefined;
}

/** The names of the rows that cover a meeting: fault, form and call; fault and form; fault and call; fault. */
function coveringNames(name: string): string[] {
  const [id = '', ...rest] = name.split(' ');
  return [name, ...(rest.length > 1 ? rest.map((part) => `${id} ${part}`) : []), id];
}

/** The fewest rows that, on top of the other client's rows, determine every row. */
export function inShort<T>(whole: Rows<T>, base: Rows<T>): Rows<T> {
  const faults = Object.groupBy(Object.keys(whole), (name) => name.split(' ')[0] ?? '');
  return Object.assign({}, ...Object.values(faults).map((names = []) => faultInShort(names, whole, base)));
}

function faultInShort<T>(names: readonly string[], whole: Rows<T>, base: Rows<T>): Record<string, T> {
  const differing = names.filter((name) => !isDeepStrictEqual(rowOf(name, base), whole[name]));
  if (differing.length === 0) return {};
  const rows: Record<string, T> = {};
  const general = [...new Set(names.flatMap((name) => coveringNames(name).toReversed()))];
  for (const cover of general.toSorted((one, other) => one.split(' ').length - other.split(' ').length)) {
    const covered = names.filter((name) => coveringNames(name).includes(cover));
    const wrong = covered.filter((name) => !isDeepStrictEqual(rowOf(name, rows), whole[name]));
    const common = commonest(wrong.map((name) => whole[name]));
    const isOfAll = covered.every((name) => isDeepStrictEqual(whole[name], common));
    if (common !== undefined && (isOfAll || cover === names[0]?.split(' ')[0])) rows[cover] = common;
  }
  const alone = Object.fromEntries(differing.map((name) => [name, whole[name]])) as Record<string, T>;
  return differing.length < Object.keys(rows).length ? alone : rows;
}

function commonest<T>(values: readonly T[]): T | undefined {
  const times = (value: T): number => values.filter((other) => isDeepStrictEqual(value, other)).length;
  return values.toSorted((one, other) => times(other) - times(one))[0];
}

/** The version in `node_modules`, and the major version of the running Node. */
export function installed(rig: ClientRig): Pick<OutcomeTable, 'client' | 'version' | 'node' | 'dialect'> {
  const file = new URL(`../../../node_modules/${rig.client}/package.json`, import.meta.url);
  const { version } = z.looseObject({ version: z.string() }).parse(JSON.parse(readFileSync(file, 'utf8')));
  const [node = ''] = process.versions.node.split('.');
  return { client: rig.client, version, node, dialect: rig.dialect };
}
