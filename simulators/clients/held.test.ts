import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { allFaultFacts } from '../fault-contract/known-faults.ts';
import { allRigs } from './testing/all-rigs.ts';
import { readTable } from './testing/outcome-table.ts';

const modules = fileURLToPath(new URL('../../node_modules/', import.meta.url));
const rows = allFaultFacts.flatMap(({ id, held }) => held.map((one) => ({ id, ...one })));

describe('what the faults were held against', () => {
  it('stands in every entry of the catalogue, with a date; a list without entries is one that was never held', () => {
    expect(allFaultFacts.filter(({ held }) => !Array.isArray(held))).toEqual([]);
    const never = allFaultFacts.filter(({ held }) => held.length === 0).map(({ id }) => id);
    // Protocols of this project: nobody else sends these bytes.
    expect(never.filter((id) => !/^[JW]/.test(id))).toEqual(['M12', 'M13']);
  });

  it('is, without words, a client whose table has the fault', () => {
    const met = new Map(
      allRigs.map((rig) => {
        const { faults, outages } = readTable(rig);
        const ids = [...Object.keys(faults), ...Object.keys(outages)].map((name) => name.split(' ')[0]);
        return [rig.client, new Set(ids)];
      }),
    );
    for (const { id, against, words } of rows) {
      if (words === undefined && !against.startsWith('https://'))
        expect([id, met.get(against)?.has(id)]).toEqual([id, true]);
    }
  });

  it('is, with words, a client whose declaration files still have them', () => {
    const packages = new Set(rows.flatMap(({ against, words }) => (words === undefined ? [] : [against])));
    const texts = new Map([...packages].map((name) => [name, declarationsOf(name)]));
    for (const { id, against, words = [] } of rows) {
      for (const word of words)
        expect([id, word, texts.get(against)?.includes(word)]).toEqual([id, word, true]);
    }
  });

  it('is else the address of what somebody saw', () => {
    const known = new Set(allRigs.map(({ client }) => client));
    const others = rows.filter(({ against }) => !known.has(against));
    expect(others.length).toBeGreaterThan(0);
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
