import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { type ChatDialectName, chatDialectNames } from '../../answers/native-answer.ts';
import type { ClientRig } from './client-rig.ts';
import type { Outcome } from './outcome.ts';

const outcomeSchema = z.strictObject({
  ends: z.enum(['answer', 'error', 'never']),
  error: z.string().exactOptional(),
  own: z.literal(true).exactOptional(),
  status: z.int().exactOptional(),
  code: z.string().exactOptional(),
  text: z.string().exactOptional(),
  finish: z.string().exactOptional(),
  usage: z.tuple([z.unknown(), z.unknown()]).exactOptional(),
  calls: z.array(z.tuple([z.string(), z.string()])).exactOptional(),
  instead: z.string().exactOptional(),
}) satisfies z.ZodType<Outcome>;

/** What one version of a client does, fault by fault: `fixtures/clients/<client>.json`. */
export interface OutcomeTable {
  readonly client: string;
  /** Of the package; another one may do other things. */
  readonly version: string;
  /** The major version of Node, whose `fetch` has its part in every outcome. */
  readonly node: string;
  readonly dialect: ChatDialectName;
  /** Fault, form and call, as in `S2 inside-json stream`. */
  readonly faults: Readonly<Record<string, Outcome>>;
  /** Outage and call: what calls ended in, one after another. */
  readonly outages: Readonly<Record<string, string>>;
}

const tableSchema = z.strictObject({
  client: z.string(),
  version: z.string(),
  node: z.string(),
  dialect: z.enum(chatDialectNames),
  faults: z.record(z.string(), outcomeSchema),
  outages: z.record(z.string(), z.string()),
}) satisfies z.ZodType<OutcomeTable>;

export function tableFile(rig: ClientRig): URL {
  const stem = rig.client.replace('@', '').replaceAll('/', '-');
  return new URL(`../../../fixtures/clients/${stem}.json`, import.meta.url);
}

/** @throws Error when the file is missing or wrong. */
export function readTable(rig: ClientRig): OutcomeTable {
  return tableSchema.parse(JSON.parse(readFileSync(tableFile(rig), 'utf8')));
}

/** One line a row, so that a difference is read at a glance. */
export function writeTable(rig: ClientRig, { faults, outages, ...head }: OutcomeTable): void {
  const lines = [
    ...Object.entries(head).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
    `"faults": {\n${rowsOf(faults)}\n}`,
    `"outages": {\n${rowsOf(outages)}\n}`,
  ];
  writeFileSync(tableFile(rig), `{\n${lines.join(',\n')}\n}\n`);
}

function rowsOf(rows: Readonly<Record<string, unknown>>): string {
  return Object.entries(rows)
    .map(([name, row]) => `${JSON.stringify(name)}: ${JSON.stringify(row)}`)
    .join(',\n');
}

/** What is in `node_modules`, and the Node that runs it. */
export function installed(rig: ClientRig): Pick<OutcomeTable, 'client' | 'version' | 'node' | 'dialect'> {
  const file = new URL(`../../../node_modules/${rig.client}/package.json`, import.meta.url);
  const { version } = z.looseObject({ version: z.string() }).parse(JSON.parse(readFileSync(file, 'utf8')));
  const [node = ''] = process.versions.node.split('.');
  return { client: rig.client, version, node, dialect: rig.dialect };
}
