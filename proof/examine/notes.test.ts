import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadRegister } from '../../suites/rules/register.ts';
import { gatewaySources } from './gateway-sources.ts';
import { faultOf, loadNotes, type Note, noteOf, notesById } from './notes.ts';
import { idOf } from './source-mutant.ts';
import { allMutantsOf } from './source-mutants.ts';

const notes = loadNotes();
const register = loadRegister();
const textOf = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const note: Note = {
  file: 'gateway/x.ts',
  find: 'a',
  replace: 'b',
  class: 'equivalent',
  why: 'Nobody sees it.',
};

describe('the notes', () => {
  it("match the gateway's sources, give a reason, and name the requirement of open ones", () => {
    const faults = notes.map((one) => faultOf(one, (id) => register.has(id), textOf));
    expect(faults.filter((fault) => fault !== null)).toEqual([]);
  });

  it('have one class each, and one mutant each', () => {
    expect(notes.filter((one) => one.class !== 'equivalent' && one.class !== 'open')).toEqual([]);
    expect(notesById(notes).size).toBe(notes.length);
  });

  it('describe mutants that an operator makes', async () => {
    const files = new Set(notes.map(({ file }) => file));
    const mutants = await allMutantsOf(gatewaySources().filter(({ path }) => files.has(path)));
    const ids = new Set(mutants.map(({ id }) => id));
    expect(notes.filter((one) => !ids.has(idOf(one))).map(({ find }) => find)).toEqual([]);
  }, 120_000);

  it('classify all files of a folder, unless one mutant has its own note', () => {
    const found = (file: string, known = new Map<string, Note>()) =>
      noteOf({ id: 'one', file }, known)?.class;
    expect(found('gateway/endpoints/admin/task-routes.ts')).toBe('equivalent');
    expect(found('gateway/endpoints/tasks/read.ts')).toBeUndefined();
    const open: Note = { ...note, class: 'open', requirement: 'R-1' };
    expect(found('gateway/endpoints/admin/task-routes.ts', new Map([['one', open]]))).toBe('open');
  });
});
