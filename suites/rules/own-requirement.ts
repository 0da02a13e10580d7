import type { Level } from 'gatecheck-reports/report';
import type { Requirement } from './register.ts';

/** A rule beside those of the specification: a promise of one deployment, which checks of its own judge. */
export interface OwnRequirement {
  /** A word of its own and three digits: `ACME-001`. The word is the area under which reports show the rule. */
  readonly id: string;
  /** What it means to break it: a broken MUST fails a run, a broken SHOULD warns. */
  readonly level: Level;
  /** The rule as one sentence. */
  readonly statement: string;
  /** Where it is written down. */
  readonly section: string;
}

/**
 * Makes a rule of a deployment's own known to the checks that name it.
 * @throws Error for an id of another form
 */
export function defineRequirement({ id, level, statement, section }: OwnRequirement): Requirement {
  if (!/^[A-Z][A-Z0-9]*-\d{3}$/.test(id)) throw new Error(`requirement id ${id} is not of the form ACME-001`);
  return { id, area: id.slice(0, id.indexOf('-')), level, statement, section };
}
