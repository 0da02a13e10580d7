import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Level } from 'gatecheck-reports/report';

/** One row of the requirement register (`fixtures/requirements/`). */
export interface Requirement {
  readonly id: string;
  readonly area: string;
  readonly level: Level;
  readonly statement: string;
  readonly section: string;
  /** Why nothing on the wire can show whether the rule holds; absent when checks cover it. */
  readonly not_checked?: string;
}

export type Register = ReadonlyMap<string, Requirement>;

/** The whole register, in the order of its files. Read once, at the start of a run. */
export function loadRegister(): Register {
  const folder = fileURLToPath(new URL('../../fixtures/requirements/', import.meta.url));
  const rows = new Map<string, Requirement>();
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()) {
    const { area, requirements } = JSON.parse(readFileSync(folder + file, 'utf8')) as {
      area: string;
      requirements: Record<string, Omit<Requirement, 'id' | 'area' | 'level'> & { readonly level?: Level }>;
    };
    for (const [id, row] of Object.entries(requirements)) rows.set(id, { id, level: 'MUST', ...row, area });
  }
  return rows;
}

/** The row of a rule that a check or a mutant names. A missing row is our mistake, and a test detects it. */
export function requirementOf(register: Register, id: string): Requirement {
  const row = register.get(id);
  if (row === undefined) throw new Error(`${id} is not in the register`);
  return row;
}
