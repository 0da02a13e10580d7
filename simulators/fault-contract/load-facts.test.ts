import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadFacts, loadJobFacts, loadWebhookFacts, shippedFacts } from './load-facts.ts';

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
const about = { name: 'n', cause: 'c', wire: 'w' };
const fault = { id: 'T7', ...about, dialects: ['messages'], calls: ['plain'], verdict };

const others = {
  'verdicts.json': { calls: { refused: verdict }, tasks: {} },
  'clients.json': { one: { dialect: 'messages', on: '2026-11-26' } },
};

/** A directory with these files in it, as JSON. */
function directoryWith(given: Readonly<Record<string, unknown>>): URL {
  const files = { ...others, ...given };
  const directory = mkdtempSync(join(tmpdir(), 'gatecheck-facts-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  for (const [name, value] of Object.entries(files))
    writeFileSync(join(directory, name), JSON.stringify(value));
  return pathToFileURL(`${directory}/`);
}

it.each([
  ['calls', loadFacts],
  ['jobs', loadJobFacts],
  ['webhooks', loadWebhookFacts],
])('the shipped facts of %s are valid, and the same when they are not checked', (_, load) => {
  expect(load().size).toBeGreaterThan(5);
  expect(load()).toEqual(load(shippedFacts));
});

it('reads the groups in the order of the catalogue, and a group without a file as empty', () => {
  const facts = loadFacts(
    directoryWith({ 'stream.json': [{ ...fault, id: 'S1' }], 'transport.json': [fault] }),
  );
  expect([...facts.keys()]).toEqual(['T7', 'S1']);
  const met = { on: '2026-11-26', against: 'one' };
  expect(facts.get('T7')).toEqual({ ...fault, held: [met] });
});

it('resolves verdicts by name, and dates the words of a client', () => {
  const words = { against: 'one', words: ['Busy'] };
  const named = { ...fault, held: [words], verdict: { as: 'refused', charge: 'known' } };
  const facts = loadFacts(
    directoryWith({ 'transport.json': [{ ...fault, id: 'T6', verdict: 'refused' }, named] }),
  );
  expect(facts.get('T6')?.verdict).toEqual(verdict);
  expect(facts.get('T7')?.verdict).toEqual({ ...verdict, charge: 'known' });
  expect(facts.get('T7')?.held.at(-1)).toEqual({ on: '2026-11-26', ...words });
});

it.each([
  ['an unknown member', { ...fault, sort: 1 }, /^transport\.json: 0: .*sort/],
  [
    'a dialect that there is not',
    { ...fault, dialects: ['completions'] },
    /^transport\.json: 0\.dialects\.0: /,
  ],
  [
    'a verdict with a hole',
    { ...fault, verdict: { ...verdict, seen: [] } },
    /^transport\.json: 0\.verdict\.seen: /,
  ],
])('reports file and position of %s', (_what, bad, message) => {
  expect(() => loadFacts(directoryWith({ 'transport.json': [bad] }))).toThrow(message);
});

it('rejects an id that two groups share', () => {
  const files = { 'transport.json': [fault], 'status.json': [fault] };
  expect(() => loadFacts(directoryWith(files))).toThrow('status.json: there are two faults T7');
});

describe('facts of webhooks', () => {
  const task = { ends: ['SUCCESS'], codes: [], jobs: [1, 1], charge: 'made', links: 'work', deadline: null };
  const callback = {
    id: 'W1',
    ...about,
    dialects: ['callback-jobs'],
    calls: ['submit'],
    task,
    answers: { '*': [200, null] },
  };
  const delivery = { attempts: [1, null], ids: 1 };
  const receiver = { id: 'W9', ...about, receiver: 'it hangs', task, delivery };

  it('cover callbacks and receivers', () => {
    const facts = loadWebhookFacts(directoryWith({ 'webhooks.json': [callback, receiver] }));
    expect([...facts.values()]).toEqual([callback, receiver].map((one) => ({ ...one, held: [] })));
  });

  it.each([
    [
      'a callback of another dialect',
      { ...callback, dialects: ['jobs'] },
      /^webhooks\.json: 0\.dialects\.0: /,
    ],
    [
      'an answer that is no status',
      { ...callback, answers: { '*': [20] } },
      /^webhooks\.json: 0\.answers\.\*\.0: /,
    ],
    [
      'a receiver that is tried without end',
      { ...receiver, delivery: { ...delivery, attempts: [1] } },
      /^webhooks\.json: 0\.delivery\.attempts/,
    ],
  ])('report file and position of %s', (_what, bad, message) => {
    expect(() => loadWebhookFacts(directoryWith({ 'webhooks.json': [bad] }))).toThrow(message);
  });
});
