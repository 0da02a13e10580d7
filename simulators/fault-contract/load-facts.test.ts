import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadFacts, loadWebhookFacts } from './load-facts.ts';

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
const fault = { id: 'T7', name: 'n', wire: 'w', held: [], dialects: ['messages'], calls: ['plain'], verdict };

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

describe('facts of webhooks', () => {
  const task = { ends: ['SUCCESS'], codes: [], jobs: [1, 1], charge: 'made', links: 'work', deadline: null };
  const callback = {
    id: 'W1',
    name: 'n',
    wire: 'w',
    held: [],
    dialects: ['callback-jobs'],
    calls: ['submit'],
    task,
    answers: { '*': [200, null] },
  };
  const delivery = { attempts: [1, null], ids: 1 };
  const receiver = { id: 'W9', name: 'n', wire: 'w', held: [], receiver: 'it hangs', task, delivery };

  it('are of callbacks and of receivers', () => {
    const facts = loadWebhookFacts(directoryWith({ 'webhooks.json': [callback, receiver] }));
    expect([...facts.values()]).toEqual([callback, receiver]);
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
  ])('name file and place of %s', (_what, bad, message) => {
    expect(() => loadWebhookFacts(directoryWith({ 'webhooks.json': [bad] }))).toThrow(message);
  });
});
