import { describe, expect, it } from 'vitest';
import { facts } from '../engine/facts.ts';
import { loadRegister, requirementOf } from '../rules/register.ts';
import { allChecks, checksByArea } from './all-checks.ts';
import { checkIds } from './areas.ts';

const register = loadRegister();

describe('all checks', () => {
  it('keep their ids, because waivers, reports and CI lines refer to them (npm run generate adds new ids)', () => {
    expect(allChecks.map(({ id }) => id)).toEqual(checkIds);
  });

  it('have unique ids', () => {
    expect(new Set(allChecks.map((check) => check.id)).size).toBe(allChecks.length);
  });

  it('stand in the folder of the area that their ids begin with', () => {
    const misplaced = Object.entries(checksByArea).flatMap(([area, checks]) =>
      checks.filter(({ id }) => !id.startsWith(`${area}.`)).map(({ id }) => `${id} in ${area}/`),
    );
    expect(misplaced).toEqual([]);
  });

  it('cover rows of the register, and their ids begin with the area of the first row or with faults, faces, every or world', () => {
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

  it('name only existing checks as their senders', () => {
    const ids = new Set(allChecks.map(({ id }) => id));
    expect(allChecks.flatMap(({ senders = [] }) => senders).filter((id) => !ids.has(id))).toEqual([]);
  });

  it('cover every row of the register, except rows with a reason why they cannot be observed', () => {
    const covered = new Set(allChecks.flatMap((check) => check.requirements));
    const open = [...register.values()].filter(
      (row) => row.not_checked === undefined && !covered.has(row.id),
    );
    expect(open.map((row) => row.id)).toEqual([]);
  });
});
