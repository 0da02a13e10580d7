import { AsyncLocalStorage } from 'node:async_hooks';
import type { Exchange } from '../wire/exchange.ts';

/** What a check found wrong: the rule, its aspect, and what was seen instead. */
export interface Finding {
  /** Register id of the broken rule, which may differ from the rules that the check is about. */
  readonly requirement: string;
  /** Short stable name of the violated aspect. A mutant counts as killed only when it declares this aspect. */
  readonly aspect: string;
  readonly expected: string;
  readonly actual: string;
  readonly exchange?: Exchange | undefined;
  readonly twin?: Exchange | undefined;
  readonly upstream?: string | undefined;
  /** The member of the request body that the rule is about, where no twin shows it. */
  readonly field?: string | undefined;
  /** The member in question, when one aspect compares a whole request. So a defect in one member does not hide another. */
  readonly member?: string | undefined;
  /** Set when the specification leaves the point open. Such a finding warns and never fails. */
  readonly isAdvice?: true;
}

/** A broken rule. A check fails only by throwing this. */
export class Violation extends Error {
  override readonly name = 'Violation';
  readonly finding: Finding;
  constructor(finding: Finding) {
    super(`${finding.requirement} (${finding.aspect}): expected ${finding.expected}; got ${finding.actual}`);
    this.finding = finding;
  }
}

/** A missing fact that a check noticed while it ran. The check is untestable, and the message says why. */
export class Untestable extends Error {
  override readonly name = 'Untestable';
}

/** Untestable, because the channel behind a model cannot have this fault: its dialect differs from the expected one. */
export function asMisfit(id: string, misfit: string): Untestable {
  return new Untestable(`a channel that can have the fault ${id}: ${misfit}`);
}

type Collect = (finding: Finding) => void;

/** The collector of violations after which the running check can continue. */
const collector = new AsyncLocalStorage<Collect | undefined>();

/** Runs `work` and collects violations after which it can continue, instead of throwing them. */
export function collecting<T>(collect: Collect, work: () => T): T {
  return collector.run(collect, work);
}

/** Runs `work` so that every violation is thrown: for a caller that tries again or decides by it. */
export function throwing<T>(work: () => T): T {
  return collector.run(undefined, work);
}

/** Revises the findings of `judge`, collected or thrown. */
export function revising<T>(revise: (finding: Finding) => Finding, judge: () => T): T {
  const collect = collector.getStore();
  try {
    return collector.run(collect && ((finding) => collect(revise(finding))), judge);
  } catch (error) {
    throw error instanceof Violation ? new Violation(revise(error.finding)) : error;
  }
}

/** Like {@link must}, for rules on which no later step depends. A running check records the violation and continues. */
export function flag(holds: boolean, finding: Finding): void {
  if (holds) return;
  const collect = collector.getStore();
  if (collect === undefined) throw new Violation(finding);
  collect(finding);
}

/** Records advice that was not followed. Code that catches violations does not receive it. */
export function advise(holds: boolean, finding: Finding): void {
  if (!holds) collector.getStore()?.({ ...finding, isAdvice: true });
}

/** Runs one of several parts of a check. The others also run when this one finds a violation. */
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
