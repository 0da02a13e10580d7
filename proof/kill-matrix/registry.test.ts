import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { allChecks, checksByArea } from '../../suites/checks/all-checks.ts';
import { loadRegister } from '../../suites/rules/register.ts';
import { allMutants, mutantsByArea } from '../mutants/all-mutants.ts';
import { allVariants } from '../variants/variants.ts';
import { fileURLOf, patched } from './patch.ts';
import { judgesOf } from './plan.ts';

const register = loadRegister();

/** Aspects with more than one mutant. A comment next to the mutants gives the reason. */
const moreThanOne = [
  'AUD-009 default-sent',
  'AUTH-013 refused-in-time',
  'BILL-001 books-of-the-account',
  'BILL-001 charge-of-the-call',
  'BILL-008 hold-let-go',
  'CACHE-007 read-count',
  'CHAT-033 clean-either-way',
  'CHAT-042 in-every-log',
  'COMPA-001 tools-retold',
  'COMPA-008 key-state',
  'COMPA-010 event-order',
  'COMPA-021 content-arrives',
  'COMPB-004 config-retold',
  'COMPB-013 above-refused',
  'EP-012 fallback-is-enabled',
  'ERR-021 still-spends',
  'HOOK-001 event-of-each-end',
  'HOOK-001 sent-at-each-end',
  'HOOK-001 sent-for-each',
  'HOOK-004 same-event',
  'HOOK-007 verifies',
  'LIM-002 cap-holds',
  'LIM-003 freed-after-abort-streaming',
  'LIM-003 freed-after-refusal',
  'LIM-004 freed-after-every-refusal',
  'LIM-004 no-ground-left',
  'LIM-011 no-fewer-tokens',
  'RESP-005 falls-back',
  'RESP-011 cut-by-max-tokens',
  'RESP-022 verbatim',
  'RESP-024 text-unchanged',
  'ROUTE-002 at-once',
  'ROUTE-002 same-pictures',
  'ROUTE-002 takes-over',
  'ROUTE-011 back-in-time',
  'ROUTE-011 no-ground-left',
  'ROUTE-011 recovers',
  'ROUTE-013 never-counts',
  'SONG-016 whole-or-none',
  'SSE-007 fragments-join',
  'STATE-012 still-known',
  'TASK-010 own-id',
  'TASK-017 shape',
  'TOOL-019 definitions-exact',
  'VID-032 same-request',
];

function repeated(ids: readonly string[]): string[] {
  return ids.filter((id, index) => ids.indexOf(id) !== index);
}

describe('the mutants', () => {
  it('have unique ids of the form area.what-is-wrong', () => {
    const ids = allMutants.map((mutant) => mutant.id);
    expect(repeated(ids)).toEqual([]);
    expect(ids.filter((id) => !/^[a-z0-9]+(?:[.-][a-z0-9]+)+$/.test(id))).toEqual([]);
  });

  it('are in the folder of the area in their ids, next to its checks', () => {
    const misplaced = Object.entries(mutantsByArea).flatMap(([area, mutants]) =>
      mutants.filter(({ id }) => !id.startsWith(`${area}.`)).map(({ id }) => `${id} in ${area}/`),
    );
    expect(misplaced).toEqual([]);
    expect(Object.keys(mutantsByArea)).toEqual(Object.keys(checksByArea));
  });

  it('break rules of the register', () => {
    const unknown = allMutants.filter((mutant) => !register.has(mutant.requirement));
    expect(unknown.map((mutant) => `${mutant.id}: ${mutant.requirement}`)).toEqual([]);
  });

  it('can each be killed by a check', () => {
    const missed = allMutants.filter((mutant) => judgesOf(mutant, allChecks).length === 0);
    expect(missed.map((mutant) => `${mutant.id}: ${mutant.requirement}`)).toEqual([]);
  });

  it('include at least one for each check', () => {
    const proven = new Set(allMutants.flatMap((mutant) => judgesOf(mutant, allChecks)));
    expect(allChecks.filter((check) => !proven.has(check)).map((check) => check.id)).toEqual([]);
  });

  it('are unique per aspect, except where a comment gives the reason', () => {
    const byAspect = Map.groupBy(allMutants, ({ requirement, aspect }) => `${requirement} ${aspect}`);
    const many = [...byAspect].filter(([, mutants]) => mutants.length > 1).map(([aspect]) => aspect);
    expect(many.sort()).toEqual(moreThanOne);
  });

  it('match exactly one place in the source that they patch', () => {
    const faults = allMutants.flatMap((mutant) => {
      if (mutant.kind !== 'source') return [];
      try {
        patched(mutant, readFileSync(fileURLToPath(fileURLOf(mutant)), 'utf8'));
        return [];
      } catch (error) {
        return [`${mutant.id}: ${(error as Error).message}`];
      }
    });
    expect(faults).toEqual([]);
  });
});

describe('the variants', () => {
  it('have unique ids', () => {
    expect(repeated(allVariants.map((variant) => variant.id))).toEqual([]);
  });
});
