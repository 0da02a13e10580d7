import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allChecks } from '../suites/checks/all-checks.ts';
import { loadRegister } from '../suites/rules/register.ts';
import { factHints } from '../suites/runner/fact-hints.ts';
import { allMutants } from './mutants/all-mutants.ts';
import { documents } from './testing/documents.ts';
import { longSentences, retired, retiredWords } from './testing/prose.ts';
import { singleVariants } from './variants/variants.ts';

/** Keeps documents and shown texts readable: short sentences, no retired words, pages that fit three screens. */

const titles = (some: readonly { readonly title: string }[]): string =>
  some.map(({ title }) => title).join('\n\n');

/** What reports, `explain` and `doctor` show beside the documents. */
const shown = [
  { name: 'titles of checks', text: titles(allChecks) },
  { name: 'titles of mutants', text: titles(allMutants) },
  { name: 'titles of variants', text: titles(singleVariants) },
  {
    name: 'statements of rules',
    text: [...loadRegister().values()].map(({ statement }) => statement).join('\n\n'),
  },
  { name: 'hints of facts', text: Object.values(factHints).join('\n\n') },
  ...['gateway/example.yaml', 'fixtures/targets/example.yaml'].map((name) => ({
    name,
    text: remarksOf(name),
  })),
];

/** The remarks of a YAML file, without the lines that could be uncommented. */
function remarksOf(name: string): string {
  const lines = readFileSync(new URL(`../${name}`, import.meta.url), 'utf8').split('\n');
  const remarks = lines.flatMap((line) => /^\s*# (?!\w*[:{-]\s)(\S.*)/.exec(line)?.[1] ?? '');
  return remarks.join('\n');
}

describe.each([...documents, ...shown])('$name', ({ text }) => {
  it('has no sentence of more than 25 words', () => expect(longSentences(text)).toEqual([]));
  it('has no retired word', () => expect(retiredWords(text)).toEqual([]));
});

it('has no page of more than 150 lines, but for lists that are looked up', () => {
  const lists = ['docs/fault-list.md', 'docs/profile.md', 'docs/options.md', 'docs/untestable.md'];
  const pages = documents.filter(({ name }) => !lists.includes(name) && name !== 'fixtures/readings.md');
  const long = pages.filter(({ text }) => text.trimEnd().split('\n').length > 150);
  expect(long.map(({ name }) => name)).toEqual([]);
});

describe('a planted text', () => {
  const words = (count: number): string => Array.from({ length: count }, () => 'word').join(' ');

  it('fails for 26 words in a paragraph or an item, with code and links inside', () => {
    expect(longSentences(`${words(25)}. ${words(25)}; ${words(25)}: ${words(3)}.`)).toEqual([]);
    expect(longSentences(`${words(20)}\n${words(6)}.`)).toHaveLength(1);
    expect(longSentences(`Short.\n- item\n- ${words(24)} \`a b c\` [one](two.md).`)).toHaveLength(1);
    expect(longSentences(`**Title.** ${words(26)}.`)).toHaveLength(1);
  });

  it('does not count code, tables and headings', () => {
    const long = words(30);
    expect(longSentences(`# ${long}\n\n    ${long}\n\n| ${long} |\n\n\`\`\`yaml\n${long}\n\`\`\`\n`)).toEqual(
      [],
    );
  });

  it.each(retired.map(([pattern, instead]) => [String(pattern), instead] as const))(
    'fails for %s, and names: %s',
    (pattern, instead) => {
      const word = samples.find((sample) => new RegExp(pattern.slice(1, -1), 'i').test(sample)) ?? '';
      expect(retiredWords(`| cell | the ${word} of it |`)).toEqual([
        expect.stringContaining(`${word} of it | → ${instead}`),
      ]);
      expect(retiredWords(`The \`${word}\` in code.\n\n    ${word}\n`)).toEqual([]);
    },
  );
});

const samples = [
  ...['face', 'lane', 'door', 'docket', 'desk', 'story', 'armed', 'film', 'picture', 'tells', 'his'],
  ...['whoever', 'heeds', 'befalls', 'undone on the wire', 'way in', 'as one sentence'],
];
