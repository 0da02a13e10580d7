import { AsyncLocalStorage } from 'node:async_hooks';
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
  /** The member of the request body that the rule is about, where no twin shows it. */
  readonly field?: string | undefined;
  /** Which member it is about, where one aspect compares a whole request: a defect of one hides none of another. */
  readonly member?: string | undefined;
  /** Set where the specification leaves the point open: such a finding warns and never fails. */
  readonly isAdvice?: true;
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

/** A fault that the channel behind a model cannot have: its dialect is not the one that the check expects. */
export function asMisfit(id: string, misfit: string): Untestable {
  return new Untestable(`a channel that can have the fault ${id}: ${misfit}`);
}

type Collect = (finding: Finding) => void;

/** What collects the violations after which the check under way can go on. */
const collector = new AsyncLocalStorage<Collect | undefined>();

/** Runs `work` so that violations after which it can go on are collected, not thrown. */
export function collecting<T>(collect: Collect, work: () => T): T {
  return collector.run(collect, work);
}

/** Runs `work` so that every violation is thrown: for a caller that tries again or decides by it. */
export function throwing<T>(work: () => T): T {
  return collector.run(undefined, work);
}

/** Changes what `judge` finds, collected or thrown. */
export function revising<T>(revise: (finding: Finding) => Finding, judge: () => T): T {
  const collect = collector.getStore();
  try {
    return collector.run(collect && ((finding) => collect(revise(finding))), judge);
  } catch (error) {
    throw error instanceof Violation ? new Violation(revise(error.finding)) : error;
  }
}

/** As {@link must}, where nothing depends on the rule: a check under way records the violation and goes on. */
export function flag(holds: boolean, finding: Finding): void {
  if (holds) return;
  const collect = collector.getStore();
  if (collect === undefined) throw new Violation(finding);
  collect(finding);
}

/** Records advice that was not followed; code that catches violations does not get it. */
export function advise(holds: boolean, finding: Finding): void {
  if (!holds) collector.getStore()?.({ ...finding, isAdvice: true });
}

/** Runs one of several parts of a check: the others are run although this one finds a violation. */
export async function part(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    flag(false, error.finding);
  }
}

/** Throws a Violation unless `holds`. */
export function must(holds: boolean, finding: Finding): asserts holds {
  if (!holds) throw new Violation(finding);
}
