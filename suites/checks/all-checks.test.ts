import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { facts } from '../engine/facts.ts';
import { loadRegister, requirementOf } from '../rules/register.ts';
import { allChecks, checksByArea } from './all-checks.ts';
import { checkIds } from './areas.ts';

const register = loadRegister();

describe('the checks', () => {
  it('keep their ids: waivers, reports and CI lines refer to them (npm run generate adds new ones)', () => {
    expect(allChecks.map(({ id }) => id)).toEqual(readFileSync(checkIds, 'utf8').trimEnd().split('\n'));
  });

  it('have an id each', () => {
    expect(new Set(allChecks.map((check) => check.id)).size).toBe(allChecks.length);
  });

  it('stand in the folder of the area that their ids begin with', () => {
    const misplaced = Object.entries(checksByArea).flatMap(([area, checks]) =>
      checks.filter(({ id }) => !id.startsWith(`${area}.`)).map(({ id }) => `${id} in ${area}/`),
    );
    expect(misplaced).toEqual([]);
  });

  it('cover rows of the register, and begin with the area of the first, or are of the fault suite, of what all faces share, of every exchange, or of histories', () => {
    for (const check of allChecks) {
      const rows = check.requirements.map((id) => requirementOf(register, id));
      const area = rows[0]?.area.toLowerCase();
      expect([area, 'faults', 'faces', 'every', 'world'], check.id).toContain(check.id.split('.')[0]);
      expect(new Set(check.requirements).size, check.id).toBe(check.requirements.length);
    }
  });

  it('need only facts that a profile can declare', () => {
    for (const check of allChecks) for (const fact of check.needs) expect(facts, check.id).toContain(fact);
  });

  it('are judged, where they send nothing themselves, by what checks send that there are', () => {
    const ids = new Set(allChecks.map(({ id }) => id));
    expect(allChecks.flatMap(({ senders = [] }) => senders).filter((id) => !ids.has(id))).toEqual([]);
  });

  it('cover every row of the register but those that say why nothing on the wire shows them', () => {
    const covered = new Set(allChecks.flatMap((check) => check.requirements));
    const open = [...register.values()].filter(
      (row) => row.not_checked === undefined && !covered.has(row.id),
    );
    expect(open.map((row) => row.id)).toEqual([]);
  });
});
