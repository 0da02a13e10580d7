import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { loadFacts } from './facts.ts';

const verdict = {
  seen: ['refused'],
  codes: ['upstream_error'],
  text: 'none',
  finish: [],
  usage: 'any',
  attempts: [1, 2],
  elsewhere: 'served',
  charge: 'nothing',
  breaker: 'counts',
  deadline: null,
};
const fault = { id: 'T7', name: 'n', wire: 'w', dialects: ['messages'], calls: ['plain'], verdict };

/** A directory with these files in it, as JSON. */
function directoryWith(files: Readonly<Record<string, unknown>>): URL {
  const directory = mkdtempSync(join(tmpdir(), 'gatecheck-facts-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  for (const [name, value] of Object.entries(files))
    writeFileSync(join(directory, name), JSON.stringify(value));
  return pathToFileURL(`${directory}/`);
}

it('reads the groups in the order of the catalogue, and a group without a file as empty', () => {
  const facts = loadFacts(
    directoryWith({ 'stream.json': [{ ...fault, id: 'S1' }], 'transport.json': [fault] }),
  );
  expect([...facts.keys()]).toEqual(['T7', 'S1']);
  expect(facts.get('T7')).toEqual(fault);
});

it.each([
  ['an unknown member', { ...fault, sort: 1 }, /^transport\.json: 0: .*sort/],
  [
    'a dialect that there is not',
    { ...fault, dialects: ['responses'] },
    /^transport\.json: 0\.dialects\.0: /,
  ],
  [
    'a verdict with a hole',
    { ...fault, verdict: { ...verdict, seen: [] } },
    /^transport\.json: 0\.verdict\.seen: /,
  ],
])('names file and place of %s', (_what, bad, message) => {
  expect(() => loadFacts(directoryWith({ 'transport.json': [bad] }))).toThrow(message);
});

it('refuses an id that two groups have', () => {
  const files = { 'transport.json': [fault], 'status.json': [fault] };
  expect(() => loadFacts(directoryWith(files))).toThrow('status.json: there are two faults T7');
});
