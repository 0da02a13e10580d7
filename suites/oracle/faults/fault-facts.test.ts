import { describe, expect, it } from 'vitest';
import {
  cellsOf,
  type FaultFacts,
  faultCheckId,
  loadFaults,
  readFaults,
  type Verdict,
  verdictOf,
} from './fault-facts.ts';

const verdict: Verdict = {
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

const facts: FaultFacts = {
  id: 'T8',
  name: 'empty-reply',
  wire: 'The connection ends before a byte came.',
  cause: 'of the test',
  dialects: ['chat-completions', 'messages'],
  calls: ['plain', 'stream'],
  forms: ['fin', 'rst'],
  verdict,
};

describe('readFaults', () => {
  it('reads facts that fit their schema', () => {
    expect(readFaults([facts], 'sample')).toEqual([facts]);
  });

  it.each<[string, object]>([
    ['an unknown member', { ...facts, color: 'red' }],
    ['a verdict that is not whole', { ...facts, verdict: { seen: ['served'] } }],
    ['an unknown code', { ...facts, verdict: { ...verdict, codes: ['upstream_sad'] } }],
    ['a failure without a code', { ...facts, verdict: { ...verdict, codes: [] } }],
    ['an answer without an ending', { ...facts, verdict: { ...verdict, seen: ['served'] } }],
    ['attempts the wrong way round', { ...facts, verdict: { ...verdict, attempts: [2, 1] } }],
    [
      'an exception that makes the verdict wrong',
      { ...facts, exceptions: [{ calls: ['stream'], verdict: { codes: [] } }] },
    ],
  ])('refuses %s', (_, wrong) => {
    expect(() => readFaults([wrong], 'sample')).toThrow(/^sample/);
  });
});

it('applies the exceptions of a cell to the general verdict in order', () => {
  const special: FaultFacts = {
    ...facts,
    exceptions: [
      { calls: ['stream'], verdict: { seen: ['broken'], text: 'prefix' } },
      { calls: ['stream'], forms: ['rst'], verdict: { text: 'any' } },
      { dialects: ['messages'], verdict: { attempts: [1, 1] } },
    ],
  };
  const seen = cellsOf(special).map((cell) => {
    const { seen, text, attempts } = verdictOf(special, cell);
    return [cell.dialect, cell.call, cell.form, seen[0], text, attempts[1]].join(' ');
  });
  expect(seen).toEqual([
    'chat-completions plain fin refused none 2',
    'chat-completions plain rst refused none 2',
    'chat-completions stream fin broken prefix 2',
    'chat-completions stream rst broken any 2',
    'messages plain fin refused none 1',
    'messages plain rst refused none 1',
    'messages stream fin broken prefix 1',
    'messages stream rst broken any 1',
  ]);
});

it('derives a check id from any name', () => {
  expect(faultCheckId({ id: 'T19', name: '1xx/redirect' })).toBe('faults.t19.1xx-redirect');
  expect(faultCheckId({ id: 'H6', name: 'server_error 500' })).toBe('faults.h6.server-error-500');
});

describe('the fault catalogue', () => {
  const all = loadFaults();

  it('gives each check a unique id', () => {
    expect(new Set(all.map(faultCheckId)).size).toBe(all.length);
  });
});
