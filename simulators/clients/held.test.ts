import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { allFaultFacts } from '../fault-contract/known-faults.ts';
import { allRigs } from './testing/all-rigs.ts';

const modules = fileURLToPath(new URL('../../node_modules/', import.meta.url));
const rows = allFaultFacts.flatMap(({ id, held }) => held.map((one) => ({ id, ...one })));

describe('the reference of a fault', () => {
  it('exists for every fault, except in protocols of this project', () => {
    const never = allFaultFacts.filter(({ held }) => held.length === 0).map(({ id }) => id);
    expect(never.filter((id) => !/^[JW]/.test(id))).toEqual(['M12', 'M13']);
  });

  it('without words, includes every client that meets all faults of its dialect', () => {
    const met = new Set(rows.filter(({ words }) => words === undefined).map(({ against }) => against));
    for (const { client } of allRigs) expect(met).toContain(client);
  });

  it('with words, is a client whose declaration files still contain them', () => {
    const packages = new Set(rows.flatMap(({ against, words }) => (words === undefined ? [] : [against])));
    const texts = new Map([...packages].map((name) => [name, declarationsOf(name)]));
    for (const { id, against, words = [] } of rows) {
      for (const word of words)
        expect([id, word, texts.get(against)?.includes(word)]).toEqual([id, word, true]);
    }
  });

  it('is otherwise the URL of a published observation', () => {
    const known = new Set(allRigs.map(({ client }) => client));
    const others = rows.filter(({ against }) => !known.has(against));
    for (const { against } of others)
      expect(URL.canParse(against) && new URL(against).protocol).toBe('https:');
  });
});

function declarationsOf(name: string): string {
  const folder = join(modules, name);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.d.ts') && !file.includes('node_modules'))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
}
