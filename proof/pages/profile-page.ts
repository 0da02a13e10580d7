import { z } from 'zod';
import { profileSchema } from '../../suites/profile/profile.ts';
import { tableOf } from './table-of.ts';

/** A part of a JSON Schema, as far as the page shows it. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
}

const beginning = `# Every member of a profile

A profile is a YAML file that describes your deployment. Only \`base_url\` and \`keys.K1\` are required:

\`\`\`yaml
base_url: https://gateway.example.com
keys: { K1: env:GATECHECK_KEY }
\`\`\`

\`env:NAME\` reads a value from the environment. [The annotated example](../fixtures/targets/example.yaml) explains members in context.
[untestable.md](untestable.md) shows the checks that each fact unlocks. \`[]\` is an item of a list, \`*\` a name of your choice.`;

/** The page that lists every member of a profile, from its schema. */
export function profilePage(): string {
  const schema = z.toJSONSchema(profileSchema, { io: 'input', unrepresentable: 'any' }) as Schema;
  const sections = Object.entries(schema.properties ?? {}).map(
    ([name, member]) =>
      `## ${name}\n\n${tableOf(['member', 'type', 'default', 'meaning'], rowsOf(name, member))}`,
  );
  return `${[beginning, ...sections].join('\n\n')}\n`;
}

/** A row for the member, unless it only has members itself, and one for each of these. */
function rowsOf(path: string, schema: Schema): string[][] {
  if (path === 'tenants[].keys')
    return [[`\`${path}\``, 'members', '', 'the keys of its account, as in `keys`']];
  // Of several forms, one may have members: those of a dialect that is no name.
  const form = schema.anyOf?.find(({ properties }) => properties !== undefined) ?? schema;
  const below = [
    ...Object.entries(form.properties ?? {}).map(([name, member]) => [`${path}.${name}`, member] as const),
    ...(schema.items === undefined ? [] : [[`${path}[]`, schema.items] as const]),
    ...(typeof schema.additionalProperties === 'object'
      ? [[`${path}.*`, schema.additionalProperties] as const]
      : []),
  ].flatMap(([at, member]) =>
    hasMembers(member) || member.description !== undefined || form.properties ? rowsOf(at, member) : [],
  );
  const isShown = below.length === 0 || schema.description !== undefined;
  return [...(isShown ? [rowOf(path, schema)] : []), ...below];
}

function hasMembers({ properties, items, additionalProperties }: Schema): boolean {
  return properties !== undefined || items !== undefined || typeof additionalProperties === 'object';
}

function rowOf(path: string, schema: Schema): string[] {
  const isPlain = schema.default !== undefined && JSON.stringify(schema.default).length > 2;
  return [
    `\`${path}\``,
    typeOf(schema),
    isPlain ? `\`${JSON.stringify(schema.default)}\`` : '',
    schema.description ?? '',
  ];
}

function typeOf(schema: Schema): string {
  const { type, anyOf, items, additionalProperties } = schema;
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (schema.enum !== undefined) return schema.enum.map((word) => `\`${word}\``).join(', ');
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' or ');
  if (type === 'array') return items === undefined ? 'list' : `list of ${typeOf(items)}`;
  if (type === 'object' && typeof additionalProperties === 'object')
    return `names to ${typeOf(additionalProperties)}`;
  return type === 'object' ? 'members' : [type ?? 'any'].flat().join(' or ');
}
