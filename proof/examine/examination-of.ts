import type { Examined, Outcome } from './examination.ts';
import type { Trial } from './examine.ts';
import { type Note, noteOf } from './notes.ts';
import { diffOf } from './source-mutant.ts';

/** Marks errors of the patch hook: the gateway did not load the file before it was ready, or the text is gone. */
const patchFault = /\bpatch: /;

/** A trial in the form of the report, with the notes' class of a survivor. */
export function examinedOf(trial: Trial, notes: ReadonlyMap<string, Note>): Examined {
  const { mutant, kill, fault } = trial;
  const note = kill === null && fault === null ? noteOf(mutant, notes) : undefined;
  return {
    id: mutant.id,
    file: mutant.file,
    line: mutant.line,
    operator: mutant.operator,
    diff: diffOf(mutant),
    find: mutant.find,
    replace: mutant.replace,
    outcome: outcomeOf(trial, note),
    killed_by: kill,
    fault,
    note: note === undefined ? null : { why: note.why, requirement: note.requirement ?? null },
    judged: trial.judged,
    checks: trial.checks,
    look: trial.look,
    warned_by: trial.warnedBy,
    untestable: trial.untestable,
    unsteady: trial.unsteady,
  };
}

/** The result of an earlier examination, classified again by the current notes. */
export function classedAnew(one: Examined, notes: ReadonlyMap<string, Note>): Examined {
  if (!one.outcome.startsWith('survived-')) return one;
  const note = noteOf(one, notes);
  return {
    ...one,
    outcome: `survived-${note?.class ?? 'unclassed'}`,
    note: note === undefined ? null : { why: note.why, requirement: note.requirement ?? null },
  };
}

function outcomeOf({ kill, fault }: Trial, note: Pick<Note, 'class'> | undefined): Outcome {
  if (fault !== null) return patchFault.test(fault) ? 'not-run' : 'no-start';
  if (kill !== null) return 'killed';
  return note === undefined ? 'survived-unclassed' : `survived-${note.class}`;
}
