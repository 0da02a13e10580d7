import type { Exchange } from '../wire/exchange.ts';

/** What a check found wrong: which rule, which aspect of it, and what was seen instead. */
export interface Finding {
  /** Register id of the rule that was broken; it need not be one that the check set out to prove. */
  readonly requirement: string;
  /** Short stable name of what was violated. A mutant is killed for the named reason when this is the one it declares. */
  readonly aspect: string;
  readonly expected: string;
  readonly actual: string;
  readonly exchange?: Exchange | undefined;
  readonly twin?: Exchange | undefined;
  readonly upstream?: string | undefined;
}

/** A broken rule. The only thing a check throws to fail. */
export class Violation extends Error {
  override readonly name = 'Violation';
  readonly finding: Finding;
  constructor(finding: Finding) {
    super(`${finding.requirement} (${finding.aspect}): expected ${finding.expected}; got ${finding.actual}`);
    this.finding = finding;
  }
}

/** A fact turned out to be missing while the check ran: the check is untestable, and says why. */
export class Untestable extends Error {
  override readonly name = 'Untestable';
}

/** Throws a Violation unless `holds`. */
export function must(holds: boolean, finding: Finding): asserts holds {
  if (!holds) throw new Violation(finding);
}
