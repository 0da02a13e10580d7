import type { Level } from 'gatecheck-reports/report';
import type { Requirement } from './register.ts';

/** A rule beyond the specification: a promise of one deployment, judged by its own checks. */
export interface OwnRequirement {
  /** Your own word and three digits: `ACME-001`. Reports show the rule under this word as its area. */
  readonly id: string;
  /** The consequence of breaking it: a broken MUST fails a run, a broken SHOULD warns. */
  readonly level: Level;
  /** The rule as one sentence. */
  readonly statement: string;
  /** The document that defines it. */
  readonly section: string;
}

/**
 * Registers a deployment's own rule, so that checks can name it.
 * @throws Error for an id of another form
 */
export function defineRequirement({ id, level, statement, section }: OwnRequirement): Requirement {
  if (!/^[A-Z][A-Z0-9]*-\d{3}$/.test(id)) throw new Error(`requirement id ${id} is not of the form ACME-001`);
  return { id, area: id.slice(0, id.indexOf('-')), level, statement, section };
}
