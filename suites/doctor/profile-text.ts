import { parse, stringify } from 'yaml';
import type { Fact } from '../engine/facts.ts';
import { countOf } from '../runner/count-of.ts';
import { factHints } from '../runner/fact-hints.ts';
import { isJsonObject } from '../values/json.ts';
import { factLines } from './fact-lines.ts';
import type { Evidence, Gain } from './gains.ts';

/** A part of a profile: sections by their names. */
interface Lines {
  readonly [section: string]: unknown;
}

/** Known facts about the deployment for a new profile. */
export interface FirstFacts {
  readonly name: string;
  readonly baseUrl: string;
  /** The environment variable that has the key. */
  readonly keyVariable: string;
  /** Profile sections for the connection, and for the detected differences. */
  readonly way: Lines;
  /** The reasons for the sections, line by line. */
  readonly why: readonly string[];
  /** The URL of the profile schema for editors. */
  readonly schema: string;
  readonly evidence: Evidence;
}

const width = 110;

/**
 * A profile with the known facts. All others are comments: the fact, its gain, and the lines that declare it. To declare one,
 * remove the `# ` before its lines.
 */
export function profileText({ name, baseUrl, keyVariable, way, why, schema, evidence }: FirstFacts): string {
  const known = { name, base_url: baseUrl, keys: { K1: `env:${keyVariable}` }, ...way };
  const sections = Map.groupBy(evidence.gains.filter(isDeclarable), ({ fact }) => sectionOf(fact));
  const parts = [...sections.values()].map((gains) => sectionText(gains, known));
  return [
    `# yaml-language-server: $schema=${schema}`,
    `# Profile of ${name}. docs/profile.md explains every member.`,
    `# It can judge ${evidence.checks} of ${evidence.ofChecks} checks, for ${evidence.rules} of ${evidence.ofRules} rules.`,
    '# env:NAME reads an environment variable, so you can commit this file.',
    ...(why.length === 0 ? [] : ['# Detected:', ...why.map((line) => `#   ${line}`)]),
    stringify(known, { lineWidth: 0 }),
    '# The rest unlocks more checks, most first. Uncomment what applies (remove "# "), and enter your values.',
    '# List under absent what the deployment does not have. Its checks are then not applicable.',
    '# absent: [hooks.clock]',
    '# Declare what differs on purpose (docs/dialects.md). Then one check reports it, and the others judge the rest.',
    '# deviations: [usage-on-request]    # a stream has usage only if stream_options asks for it',
    '',
    ...parts,
  ].join('\n');
}

/**
 * The lines that declare a fact, as a block, each with so many spaces before it.
 * @param model of the deployment, for lines that name one
 */
export function linesOf(fact: Fact, indent: number, model: string | null = null): string {
  const lines = linesFor(fact, model);
  if (lines === '') return '';
  return indented(stringify(parse(lines), { lineWidth: width }), ' '.repeat(indent));
}

/** The first model that a dialect names; null where models have the names of the specification. */
export function ownModel(dialect: unknown): string | null {
  const models = isJsonObject(dialect) && isJsonObject(dialect.models) ? Object.keys(dialect.models) : [];
  return models[0] ?? null;
}

function linesFor(fact: Fact, model: string | null): string {
  const lines = factLines[fact] ?? '';
  return model === null ? lines : lines.replaceAll('delta-3', () => JSON.stringify(model));
}

/** The gain of a fact, as text. */
export function gainInWords({ checks, rules, together, others }: Gain): string {
  const ofRules = rules === 0 ? '' : ` (${countOf(rules, 'rule')})`;
  const alone = checks === 0 ? [] : [`unlocks ${countOf(checks, 'check')}${ofRules}`];
  const more =
    together === 0
      ? []
      : [
          `${checks === 0 ? countOf(together, 'check') : `${together} more`} also ${together === 1 ? 'needs' : 'need'} ${others.slice(0, 3).join(', ')}${others.length > 3 ? ' …' : ''}`,
        ];
  return [...alone, ...more].join('; ');
}

function isDeclarable({ fact }: Gain): boolean {
  return factLines[fact] !== null;
}

/** The last section in the lines of a fact. Earlier sections belong to the fact too, and are shown with it. */
function sectionOf(fact: Fact): string {
  return Object.keys(parse(factLines[fact] ?? '') as Lines).at(-1) ?? '';
}

function sectionText(gains: readonly Gain[], known: Lines): string {
  const why = gains.flatMap((gain) => [
    `# ${gain.fact}: ${factHints[gain.fact]}`,
    `#   ${gainInWords(gain)}`,
  ]);
  const model = ownModel(known.dialect);
  const merged = mergeLines(gains.map(({ fact }) => parse(linesFor(fact, model)) as Lines));
  const lines = Object.entries(merged).flatMap(([section, value]) =>
    // A section may appear only once in a file.
    section in known
      ? [`# (below ${section}:)`, indented(stringify(value, { lineWidth: width }), '#   ')]
      : [indented(stringify({ [section]: value }, { lineWidth: width }), '# ')],
  );
  return `${[...why, ...lines].join('\n')}\n`;
}

function indented(text: string, before: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => before + line)
    .join('\n');
}

/** Several parts of a profile as one: sections are put together, lists one after the other. */
export function mergeLines(parts: readonly Lines[]): Lines {
  return parts.reduce((all, part) => merged(all, part) as Lines, {});
}

function merged(one: unknown, other: unknown): unknown {
  if (Array.isArray(one) && Array.isArray(other)) return [...one, ...other];
  if (!isJsonObject(one) || !isJsonObject(other)) return other;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      name in one && name in other ? merged(one[name], other[name]) : (one[name] ?? other[name]),
    ]),
  );
}
