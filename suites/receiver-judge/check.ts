import type { CaseJudge } from './case-judge.ts';

/** One check of a receiver. It throws a Violation, or Untestable, or returns. */
export interface ReceiverCheck {
  readonly id: string;
  readonly title: string;
  /** The rule that it is about. */
  readonly rule: string;
  /**
   * Checks whose failure says all that this one could: it is not judged then, so that each defect is told once. With
   * `aspects`, only a failure that names one of them.
   */
  readonly after: readonly Prerequisite[];
  run(caseJudge: CaseJudge): Promise<void>;
}

export interface Prerequisite {
  readonly check: string;
  readonly aspects?: readonly string[];
}
