import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allChecks } from '../suites/checks/all-checks.ts';
import { loadRegister } from '../suites/rules/register.ts';
import { factHints } from '../suites/runner/fact-hints.ts';
import { allMutants } from './mutants/all-mutants.ts';
import { documents } from './testing/documents.ts';
import { longSentences, retiredWords, wideLines, wideProse } from './testing/prose.ts';
import { singleVariants } from './variants/variants.ts';

/** Keeps documents and displayed texts readable: short sentences, no retired words, pages of at most three screens. */

const titles = (some: readonly { readonly title: string }[]): string =>
  some.map(({ title }) => title).join('\n\n');

/** Texts that reports, `explain` and `doctor` display in addition to the documents. */
const shown = [
  { name: 'titles of checks', text: titles(allChecks) },
  { name: 'titles of mutants', text: titles(allMutants) },
  { name: 'titles of variants', text: titles(singleVariants) },
  {
    name: 'statements of rules',
    text: [...loadRegister().values()].map(({ statement }) => statement).join('\n\n'),
  },
  { name: 'hints of facts', text: Object.values(factHints).join('\n\n') },
  ...['gateway/example.yaml', 'gateway/one-provider.yaml', 'fixtures/targets/example.yaml'].map((name) => ({
    name,
    text: remarksOf(name),
  })),
];

/** The comments of a YAML file, without lines meant to be uncommented. */
function remarksOf(name: string): string {
  const lines = readFileSync(new URL(`../${name}`, import.meta.url), 'utf8').split('\n');
  const remarks = lines.flatMap((line) => /^\s*# (?!\w*[:{-]\s)(\S.*)/.exec(line)?.[1] ?? '');
  return remarks.join('\n');
}

describe.each([...documents, ...shown])('$name', ({ text }) => {
  it('has no sentence of more than 25 words', () => expect(longSentences(text)).toEqual([]));
  it('has no code that a page cuts off', () => expect(wideLines(text)).toEqual([]));
  it('has no retired word', () => expect(retiredWords(text)).toEqual([]));
});

it('has no page of more than 150 lines, except reference lists', () => {
  const lists = [
    'docs/checks.md',
    'docs/fault-list.md',
    'docs/profile.md',
    'docs/options.md',
    'docs/untestable.md',
  ];
  const pages = documents.filter(({ name }) => !lists.includes(name) && name !== 'fixtures/readings.md');
  const long = pages.filter(({ text }) => text.trimEnd().split('\n').length > 150);
  expect(long.map(({ name }) => name)).toEqual([]);
});

it('has no line of prose that is wider than an editor shows', () => {
  // Setups of judged gateways are logs.
  const pages = documents.filter(({ name }) => !name.startsWith('results/'));
  const wide = pages.flatMap(({ name, text }) => wideProse(text).map((line) => `${name}: ${line}`));
  expect(wide).toEqual([]);
});

it('finds a planted long sentence, retired word and wide line of code', () => {
  expect(longSentences(`You ${'read '.repeat(25)}this.`)).toHaveLength(1);
  expect(longSentences(`You ${'read '.repeat(23)}this.`)).toEqual([]);
  expect(retiredWords('Set a door.')).toHaveLength(1);
  expect(wideLines(`    ${'x'.repeat(101)}\n\n\`\`\`yaml\n${'y'.repeat(101)}\n\`\`\``)).toHaveLength(2);
  expect(wideLines(`    ${'x'.repeat(100)}\n\n${'word '.repeat(30)}`)).toEqual([]);
  expect(wideProse(`${'word '.repeat(30)}\n\n| ${'word '.repeat(30)}|`)).toHaveLength(1);
});
