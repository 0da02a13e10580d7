import { describe, expect, it } from 'vitest';
import { awaitsSecondLook, type Examined, scoreOf } from './examination.ts';
import { examinedOf } from './examination-of.ts';
import type { Trial } from './examine.ts';
import type { Note } from './notes.ts';
import { mutantAt } from './source-mutant.ts';

const text = Array.from({ length: 8 }, (_, place) => `line(${place});`).join('\n');

/** A trial of the mutant that changes the line of this number. */
function trial(line: number, more: Partial<Trial>): Trial {
  const start = text.indexOf(`(${line})`) + 1;
  const spot = { operator: 'WrongConstant', start, end: start + 1, replacement: '9' };
  const mutant = mutantAt('gateway/x.ts', text, spot);
  return {
    mutant,
    kill: null,
    fault: null,
    judged: 3,
    checks: 4,
    look: 1,
    warnedBy: [],
    untestable: [],
    unsteady: [],
    ...more,
  };
}

const kill = { check: 'a.b', verdict: 'fail', requirement: 'R-1', aspect: 'x', actual: 'seen' } as const;
const trials = [
  trial(0, { kill }),
  trial(1, { kill: { ...kill, verdict: 'harness-error' } }),
  trial(2, { fault: 'the gateway did not start: boom | bang' }),
  trial(3, { fault: 'the gateway did not start: patch: gateway/x.ts was not loaded' }),
  trial(4, {}),
  trial(5, {}),
  trial(6, { warnedBy: ['w.x'], unsteady: ['u.v: fail, then pass'] }),
];

function noteOf(place: number, more: Partial<Note>): [string, Note] {
  const { id, file, find, replace } = (trials[place] as Trial).mutant;
  return [id, { file, find, replace, class: 'equivalent', why: 'Nobody sees it.', ...more }];
}

const notes = new Map([noteOf(4, {}), noteOf(5, { class: 'open', requirement: 'R-2', why: 'It is lost.' })]);
const mutants: Examined[] = trials.map((one) => examinedOf(one, notes));

describe('a survivor', () => {
  const awaits = (more: Partial<Trial>): boolean => awaitsSecondLook(examinedOf(trial(4, more), notes));

  it('has a second look before it unless all of its checks, or the second look, have seen it', () => {
    expect(awaits({ judged: 3, checks: 4 })).toBe(true);
    expect(awaits({ judged: 4, checks: 4 })).toBe(false);
    expect(awaits({ judged: 3, checks: 4, look: 2 })).toBe(false);
    expect(awaits({ judged: 1, kill })).toBe(false);
  });
});

describe('an examination', () => {
  it('says what became of each mutant', () => {
    expect(mutants.map(({ outcome }) => outcome)).toEqual([
      ...['killed', 'killed', 'no-start', 'not-run'],
      ...['survived-equivalent', 'survived-open', 'survived-unclassed'],
    ]);
  });

  it('has a score without what is equivalent and what was not run', () => {
    expect(scoreOf(mutants)).toMatchObject({ ratio: 3 / 5, by_harness_error: 1 });
    expect(scoreOf([]).ratio).toBeNull();
  });
});
