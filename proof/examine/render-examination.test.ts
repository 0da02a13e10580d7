import { describe, expect, it } from 'vitest';
import { awaitsSecondLook, type Examination, type Examined, scoreOf } from './examination.ts';
import { examinedOf } from './examination-of.ts';
import type { Trial } from './examine.ts';
import type { Note } from './notes.ts';
import { headlineOf, renderExaminationMarkdown, renderExaminationText } from './render-examination.ts';
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
const examination: Examination = {
  schema: 'gatecheck.examination/1',
  ...{ seed: 7, started_at: '2026-01-01T00:00:00Z', duration_ms: 61_000, drawn_from: 900, drawn: 7 },
  ...{ interrupted: false, broken: null, mutants },
};

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

  it('sums up in a line', () => {
    expect(headlineOf(examination)).toBe(
      'score 60.0 %: 3 of 7 mutants killed (1 of them did not start, 1 only broke a check), 3 survived: 1 open, 1 equivalent, 1 not classed; 1 not run; 3 survivors have not had the look of all their checks.',
    );
    expect(headlineOf({ ...examination, drawn: 9 })).toContain('; 2 not examined yet; ');
    expect(headlineOf({ ...examination, interrupted: true })).toMatch(/^Interrupted: score/);
    expect(headlineOf({ ...examination, broken: 'x' })).toMatch(/^Broken off \(x\): score/);
  });

  it('prints the survivors with their diff, why, and a line that repeats them', () => {
    const printed = renderExaminationText(examination);
    expect(printed).toContain(
      'survived-unclassed gateway/x.ts:7 WrongConstant (3 of 4 checks)\n  -line(6);\n  +line(9);',
    );
    expect(printed).toContain(`npx gatecheck examine --mutant ${mutants[6]?.id} --seed 7`);
    expect(printed).toContain('  R-2: It is lost.');
    expect(printed).toContain('Seed 7, 7 drawn of 900, 61 s.');
    expect(printed).not.toContain(mutants[0]?.id);
  });

  it('is a document with a section for each class', () => {
    const document = renderExaminationMarkdown(examination);
    for (const part of ['not classed', 'open: a check is missing', 'equivalent'])
      expect(document).toContain(`## Survived, ${part}`);
    expect(document).toContain('Warned: w.x. Unsteady: u.v: fail, then pass.');
    expect(document).toContain('| did not start | the gateway did not start: boom \\| bang |');
    expect(document).toContain('| a.b | harness-error R-1 x |');
  });

  it('shortens a long diff', () => {
    const diff = [...Array.from({ length: 30 }, (_, place) => `-${place}`), '+{}'];
    const one = { ...(mutants[6] as Examined), diff };
    const printed = renderExaminationText({ ...examination, mutants: [one] });
    expect(printed).toContain('… 20 lines more\n  +{}');
  });
});
